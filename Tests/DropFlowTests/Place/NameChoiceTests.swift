import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// The zone's rule for names that are taken.
@Suite(.timeLimit(.minutes(1))) struct NameChoiceTests {
  typealias Collision = DeliveryRules.Collision

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rule: Collision = .rename
    /// What the box has: names that end with a slash are directories.
    var box: [String: String]
    var name = "a.txt"
    /// The name that is chosen, with an exclamation mark if it is another file's; or what comes instead.
    var expected: String
  }

  @Test(arguments: [
    Row(testDescription: "free", box: [:], expected: "a.txt"),
    Row(testDescription: "taken", box: ["a.txt": "x"], expected: "a.1.txt"),
    Row(testDescription: "taken twice", box: ["a.txt": "x", "a.1.txt": "x"], expected: "a.2.txt"),
    Row(testDescription: "taken by a directory", box: ["a.txt/": ""], expected: "a.1.txt"),
    Row(testDescription: "a number that is free in between", box: ["a.txt": "x", "a.2.txt": "x"], expected: "a.1.txt"),
    Row(testDescription: "reject, free", rule: .reject, box: [:], expected: "a.txt"),
    Row(testDescription: "reject, taken", rule: .reject, box: ["a.txt": "x"], expected: "duplicate"),
    Row(testDescription: "reject, taken by a directory", rule: .reject, box: ["a.txt/": ""], expected: "duplicate"),
    Row(testDescription: "replace, free", rule: .replace, box: [:], expected: "a.txt"),
    Row(testDescription: "replace, taken", rule: .replace, box: ["a.txt": "x"], expected: "a.txt!"),
    Row(
      testDescription: "replace, taken by a directory", rule: .replace, box: ["a.txt/": ""], expected: "a.1.txt"),
    Row(testDescription: "identical, free", rule: .keepIdentical, box: [:], expected: "a.txt"),
    Row(
      testDescription: "identical, of its size", rule: .keepIdentical, box: ["a.txt": "other"],
      expected: "compare 0"),
    Row(
      testDescription: "identical, of another size", rule: .keepIdentical, box: ["a.txt": "another"],
      expected: "a.1.txt"),
    Row(
      testDescription: "identical, the second of its size", rule: .keepIdentical,
      box: ["a.txt": "another", "a.1.txt": "other"], expected: "compare 1"),
  ])
  func `a name that is taken is answered by the zone's rule`(_ row: Row) async throws {
    try await FlowHarness.with({ $0.delivery.collision = row.rule }) { harness in
      for (name, text) in row.box {
        if name.hasSuffix("/") {
          try harness.path("B/" + name.dropLast()).makeDirectory()
        } else {
          try harness.write("B/" + name, text)
        }
      }
      var payload = try await harness.judged(row.name)
      #expect(try Self.choose(&payload, harness) == row.expected)
    }
  }

  @Test func `a reject takes the next name whatever the rule is, with room for its reason`() async throws {
    for rule in Collision.allCases {
      try await FlowHarness.with({ $0.delivery.collision = rule }) { harness in
        try harness.write("R/a.txt")
        // The name of a payload, or of another's reason.
        try harness.write("R/a.1.txt.reason.json")
        var payload = try await harness.refused()
        #expect(try Self.choose(&payload, harness) == "a.2.txt")
        let long = String(repeating: "n", count: 250) + ".txt"
        var second = try await harness.refused(long)
        let chosen = try Self.choose(&second, harness)
        #expect(chosen.utf8.count + ReasonFile.suffix.utf8.count == 255 && chosen.hasSuffix(".txt"))
      }
    }
  }

  @Test func `a reject that was tried again finds its own reason`() async throws {
    try await FlowHarness.with { harness in
      var payload = try await harness.refused()
      let directory = try Directory(harness.path("R"))
      try ReasonFile.write(
        payload.delivery.record.receipt, for: payload.id, beside: "a.txt", in: directory, durable: false)
      #expect(try Self.choose(&payload, harness) == "a.txt")
      var other = try await harness.refused()
      #expect(try Self.choose(&other, harness) == "a.1.txt")
    }
  }

  @Test(arguments: [(false, "sub/low"), (true, "")])
  func `directories of the location are made again below the box, unless the zone is flat`(
    isFlat: Bool, directory: String
  ) async throws {
    try await FlowHarness.with({ $0.delivery.flatten = isFlat }) { harness in
      var payload = try await harness.judged("sub/low/a.txt")
      #expect(try Self.choose(&payload, harness) == "a.txt")
      #expect(payload.delivery.destination?.directory == RawPath(directory))
    }
  }

  @Test func `a name of the longest is taken as it is, and cut where it needs a number`() async throws {
    try await FlowHarness.with { harness in
      let long = String(repeating: "ü", count: 125) + ".txt"
      var payload = try await harness.judged(long)
      #expect(try Self.choose(&payload, harness) == long)
      try harness.write("B/" + long)
      var second = try await harness.judged(long)
      let chosen = try Self.choose(&second, harness)
      #expect(chosen == String(repeating: "ü", count: 124) + ".1.txt")
    }
  }

  // MARK: - Copies that have been made

  @Test func `a copy takes the next name, or replaces`() async throws {
    for (rule, expected) in [(Collision.rename, "a.1.txt"), (.replace, "a.txt!")] {
      try await FlowHarness.with({ $0.delivery.collision = rule }) { harness in
        try harness.write("B/a.txt", "x")
        var payload = try await harness.judged()
        var destinations = OpenDestinations(isDurable: true)
        let root = try destinations.root(harness.context.settings.box, wasMountPoint: false)
        payload.folder = try destinations.folder("", in: root)
        let event = NameChoice(context: harness.context, root: root).chooseForCopy(&payload, from: 0)
        #expect(Self.outline(event) == expected)
      }
    }
  }

  private static func choose(_ payload: inout ClaimedPayload, _ harness: FlowHarness) throws -> String {
    var destinations = OpenDestinations(isDurable: true)
    let root = try destinations.root(payload.delivery.rootPath, wasMountPoint: false)
    let event = try NameChoice(context: harness.context, root: root).choose(&payload, &destinations)
    payload.receive(event)
    return outline(event)
  }

  private static func outline(_ event: Delivery.Event) -> String {
    switch event {
    case .chosen(let destination): destination.name.description + (destination.replaces ? "!" : "")
    case .duplicate: "duplicate"
    case .mayBeIdentical(let number): "compare \(number)"
    default: "\(event)"
    }
  }
}
