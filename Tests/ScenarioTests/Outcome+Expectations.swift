import DropEngine
import Support
import Testing

/// A payload, given by the shell command that creates it, such as `pdf one 50000`.
typealias Payload = String

extension Outcome {
  /// Expects exactly these files in the directory, with the content that their commands create.
  func expectFiles(
    _ wanted: [RawPath: Payload], in place: String = "B", at location: SourceLocation = #_sourceLocation
  ) async throws {
    let found = files(place).filter { !$0.path.bytes.ends(with: ".reason.json") || wanted[$0.path] != nil }
    let names = found.map(\.path).sorted()
    #expect(
      names == wanted.keys.sorted(), "the files in \(place)\n\(story)", sourceLocation: location)
    let facts = try await PayloadFacts.of(Array(Set(wanted.values)))
    for entry in found {
      guard let payload = wanted[entry.path], let fact = facts[payload] else { continue }
      #expect(
        entry.bytes == fact.bytes && entry.sha256 == fact.sha256,
        "\(place)/\(entry.path) is not '\(payload)'\n\(story)", sourceLocation: location)
    }
  }

  /// Expects these payloads in the directory, with any names.
  func expectContents(
    _ wanted: [Payload], in place: String = "B", at location: SourceLocation = #_sourceLocation
  ) async throws {
    let facts = try await PayloadFacts.of(Array(Set(wanted)))
    let digests = wanted.compactMap { facts[$0]?.sha256 }.sorted()
    let found = files(place).filter { !$0.path.bytes.ends(with: ".reason.json") }
    #expect(
      found.compactMap(\.sha256).sorted() == digests, "the contents in \(place)\n\(story)",
      sourceLocation: location)
  }

  /// Expects that only these files, and the zone's own directories, are left in the zone.
  func expectLeft(_ names: [RawPath] = [], in place: String = "Z", at location: SourceLocation = #_sourceLocation) {
    let left = entries(place).filter { $0.kind != "d" }.map(\.path)
    #expect(left.sorted() == names.sorted(), "left in \(place)\n\(story)", sourceLocation: location)
  }

  /// Expects that these locations were refused with these codes, and are in the rejects with their reasons.
  func expectRefused(
    _ wanted: [String: ReasonCode], in place: String = "R", at location: SourceLocation = #_sourceLocation
  ) {
    let refused = receipts.filter { $0.outcome == .rejected || $0.outcome == .failed }
    #expect(
      refused.map(\.location).sorted() == wanted.keys.sorted(), "what was refused\n\(story)", sourceLocation: location)
    for receipt in refused {
      guard let code = wanted[receipt.location] else { continue }
      #expect(receipt.reason?.code == code, "\(receipt.location)\n\(story)", sourceLocation: location)
      #expect(receipt.outcome == code.outcome, "\(receipt.location)\n\(story)", sourceLocation: location)
    }
    let files = files(place).filter { !$0.path.bytes.ends(with: ".reason.json") }
    #expect(files.count == wanted.count, "files in \(place)\n\(story)", sourceLocation: location)
  }

  /// Expects that exactly these locations were delivered, once each.
  func expectDelivered(_ locations: [String], at location: SourceLocation = #_sourceLocation) {
    #expect(
      receipts(.delivered).map(\.location).sorted() == locations.sorted(), "what was delivered\n\(story)",
      sourceLocation: location)
  }

  /// Expects one of these sequences of `isTargeted`, such as "F T F".
  func expectTargeted(_ words: String..., at location: SourceLocation = #_sourceLocation) {
    #expect(words.contains(log.word), "targeted\n\(story)", sourceLocation: location)
  }

  /// Expects a minimum time between the first and last targeted state.
  func expectTargetedFor(atLeast seconds: Double, at location: SourceLocation = #_sourceLocation) {
    let longest = log.periods.map(\.seconds).max() ?? 0
    #expect(longest >= seconds, "the longest targeted time\n\(story)", sourceLocation: location)
  }

  /// Expects that `name` was delivered within a range of seconds after a mark.
  func expectFinished(
    _ name: String, within seconds: Double, of mark: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let from = try #require(marks[mark], "no mark «\(mark)»\n\(story)", sourceLocation: location)
    let last = receipt(of: name)
    let receipt = try #require(last, "no receipt of \(name)\n\(story)", sourceLocation: location)
    let finished = try #require(Timestamp.milliseconds(receipt.finished), sourceLocation: location)
    let took = Double(finished - from) / 1000
    #expect(took <= seconds, "\(name) took \(took) s after \(mark)\n\(story)", sourceLocation: location)
  }

  func expectRuns(_ count: Int, at location: SourceLocation = #_sourceLocation) {
    #expect(runs.count == count, "runs of the handler\n\(story)", sourceLocation: location)
  }
}

/// The sizes and digests of payloads that are given by shell commands.
enum PayloadFacts {
  struct Fact: Sendable {
    var sha256: String
    var bytes: Int64
  }

  static func of(_ payloads: [Payload]) async throws -> [Payload: Fact] {
    if payloads.isEmpty { return [:] }
    // Each payload becomes a file, and one program reads all of them: there can be a thousand.
    let script = """
      . "$0"; cd "$1"; shift
      for words; do files+=("$((++n))"); (eval "$words") > "$n"; done
      sha256sum "${files[@]}" | cut -c 1-64; stat -c %s "${files[@]}"
      """
    let output = try await Scratch.with { scratch in
      let files = scratch.freshPath("payloads")
      try files.makeDirectory()
      return try await Command.run(
        ["/bin/bash", "-c", script, Rig.recipes + "/payloads.sh", files.description] + payloads, in: scratch,
        limit: .seconds(300)
      ).output
    }
    let lines = output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    try #require(lines.count == payloads.count * 2, "\(payloads.count) payloads, \(lines.count) lines")
    var facts: [Payload: Fact] = [:]
    for (index, payload) in payloads.enumerated() {
      facts[payload] = Fact(sha256: lines[index], bytes: Int64(lines[payloads.count + index]) ?? -1)
    }
    return facts
  }
}

extension [UInt8] {
  func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
