internal import DropEngine
internal import DropSystem

/// A status report that may list very many staged payloads.
///
/// The JSON encoder is slow, and its time grows faster than the length of a list. Long lists are therefore encoded in
/// parts, on all processors, and inserted into the message where the rest of the report has empty lists.
struct LongReport {
  private let report: StatusReport
  private let parts: [(zone: Int, staged: [StagedStatus])]

  private static let partLength = 512

  init(_ report: StatusReport) {
    self.report = report
    parts = report.zones.indices.flatMap { zone in
      let staged = report.zones[zone].staged
      return stride(from: 0, to: staged.count, by: Self.partLength).map { start in
        (zone, Array(staged[start..<min(start + Self.partLength, staged.count)]))
      }
    }
  }

  func message() async throws -> [UInt8] {
    guard report.zones.contains(where: { $0.staged.count > Self.partLength }) else {
      return try VarlinkReply.success(report)
    }
    let parts = parts
    let written = try await withThrowingTaskGroup(of: (part: Int, list: [UInt8]).self) { group in
      var written = [[UInt8]](repeating: [], count: parts.count)
      for part in parts.indices {
        if part >= Machine.processors, let done = try await group.next() { written[done.part] = done.list }
        // Only programs read this, and sorting the keys is a tenth of the work.
        group.addTask { (part, try VarlinkJSON.encode(parts[part].staged, sortingKeys: false)) }
      }
      for try await done in group { written[done.part] = done.list }
      return written
    }
    return try message(with: written)
  }

  /// Inserts the encoded lists into the rest of the report.
  private func message(with written: [[UInt8]]) throws -> [UInt8] {
    var short = report
    for zone in short.zones.indices { short.zones[zone].staged = [] }
    // This text cannot occur inside a string, because quotes in strings are escaped.
    let texts = try VarlinkReply.success(short).split(separator: Array(#""staged":[]"#.utf8))
    var message: [UInt8] = []
    message.reserveCapacity(written.reduce(0) { $0 + $1.count } + texts.reduce(0) { $0 + $1.count + 16 })
    for (zone, text) in texts.enumerated() {
      message += text
      guard zone < texts.count - 1 else { break }
      message += #""staged":["#.utf8
      var isFirst = true
      for (part, list) in zip(parts, written) where part.zone == zone {
        if !isFirst { message.append(UInt8(ascii: ",")) }
        message += list[1..<(list.count - 1)]
        isFirst = false
      }
      message.append(UInt8(ascii: "]"))
    }
    return message
  }
}
