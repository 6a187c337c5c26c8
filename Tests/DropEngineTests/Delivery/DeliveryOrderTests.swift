import Testing

@testable import DropEngine

/// What is synced, committed and renamed on each way, and in which order.
@Suite struct DeliveryOrderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var way: DeliveryScript.Way
    var steps: [String]
    var testDescription: String { way.rawValue }
  }

  @Test(arguments: rows)
  func `each way syncs and commits in one order`(_ row: Row) {
    var script = DeliveryScript(row.way)
    #expect(script.finish() == row.steps)
  }

  @Test func `each way has its order written down`() {
    #expect(Self.rows.map(\.way) == DeliveryScript.Way.allCases)
  }

  /// What an undo copies is the only one that is left, so it is synced before the other goes.
  @Test(arguments: rows)
  func `without Durable, a way is the same but for its syncs`(_ row: Row) {
    var script = DeliveryScript(row.way) { $0.delivery.durable = false }
    let kept: Set<String> =
      switch row.way {
      case .undoFar: ["sync half copy", "sync directory of origin"]
      case .undoCopy: ["sync origin", "sync directory of delivered"]
      default: []
      }
    #expect(script.finish() == row.steps.filter { !$0.hasPrefix("sync") || kept.contains($0) })
  }

  @Test(arguments: DeliveryScript.Way.allCases)
  func `each way has one receipt at its end, or none if the payload is in the zone again`(_ way: DeliveryScript.Way) {
    var script = DeliveryScript(way)
    let steps = script.finish()
    #expect(script.row == nil)
    #expect(script.receipts.count == (steps.last == "finished" ? 1 : 0))
    #expect(script.delivery.isEnded)
  }

  static let claimed = ["sync origin", "commit claiming", "origin -> hold", "check"]
  static let snapshot = [
    "commit claiming + forget count", "copy origin -> hold", "sync hold", "sync directory of hold", "check",
  ]
  static let asked = ["await worker", "commit claiming attempt 1 starts 1", "ask", "inspect"]
  static let synced = ["sync directory of hold", "sync directory of destination"]
  static let copied = ["copy hold -> temporary", "sync temporary", "sync directory of destination"]
  static let closed = [
    "remove hold", "sync directory of hold", "remove origin", "sync directory of origin", "commit close + forget count",
    "finished",
  ]

  static let rows: [Row] = [
    Row(
      way: .move,
      steps: claimed + ["choose 0", "commit placing", "hold -> destination"] + synced
        + ["commit receipt delivered + close", "finished"]),
    Row(
      way: .moveByHandler,
      steps: claimed + asked + ["choose 0", "commit placing attempt 1", "hold -> destination"] + synced
        + ["commit receipt delivered + close + forget count", "finished"]),
    Row(
      way: .reject,
      steps: claimed + ["choose 0", "commit placing", "write reason", "hold -> destination"] + synced
        + ["commit receipt rejected handler + close", "finished"]),
    Row(
      way: .moveFar,
      steps: claimed + ["choose 0", "commit placing", "hold -> destination"] + copied
        + [
          "inspect", "commit copied", "temporary -> destination", "sync directory of destination",
          "commit placed + receipt delivered",
        ] + closed),
    Row(
      way: .linked,
      steps: claimed + ["choose 0", "commit placing"] + copied
        + [
          "inspect", "commit copied", "temporary -> destination", "sync directory of destination",
          "commit placed + receipt delivered",
        ] + closed),
    Row(
      way: .rejectFar,
      steps: claimed
        + ["choose 0", "commit placing", "write reason", "hold -> destination", "remove reason"] + copied
        + [
          "commit copied", "write reason", "temporary -> destination", "sync directory of destination",
          "commit placed + receipt rejected handler",
        ] + closed),
    Row(
      way: .snapshot,
      steps: snapshot + ["choose 0", "commit placing", "hold -> destination"] + synced
        + ["commit receipt delivered + close + note of copy", "finished"]),
    Row(
      way: .copyByHandler,
      steps: claimed + asked + ["choose 0", "commit placing attempt 1"] + copied
        + [
          "inspect", "commit copied attempt 1", "temporary -> destination", "sync directory of destination",
          "commit placed attempt 1 + receipt delivered", "choose return name 0", "commit note", "hold -> origin",
          "commit note", "sync directory of hold", "sync directory of origin", "commit close + forget count",
          "finished",
        ]),
    Row(
      way: .notYet,
      steps: claimed + asked
        + [
          "commit returning attempt 1", "hold -> origin", "sync directory of hold", "sync directory of origin",
          "commit close if returning + count", "left in zone, attempts 1",
        ]),
    Row(
      way: .notYetSnapshot,
      steps: snapshot + asked
        + [
          "find names", "remove hold", "sync directory of hold", "commit close if claiming + count + forget note",
          "left in zone, attempts 1",
        ]),
    Row(
      way: .retry,
      steps: ["commit claiming", "origin -> hold", "check", "choose 0", "commit placing", "hold -> destination"]
        + synced
        + [
          "commit receipt delivered + placed", "remove old reason", "sync directory of old reason",
          "commit close + forget count", "finished",
        ]),
    Row(
      way: .undo,
      steps: [
        "commit returning", "delivered -> origin", "sync directory of origin", "remove delivered",
        "sync directory of delivered", "commit note + receipt undone + close", "finished",
      ]),
    Row(
      way: .undoFar,
      steps: [
        "commit returning", "delivered -> origin", "copy delivered -> half copy", "sync half copy", "commit returning",
        "half copy -> origin", "sync directory of origin", "remove delivered", "sync directory of delivered",
        "commit note + receipt undone + close", "finished",
      ]),
    Row(
      way: .undoCopy,
      steps: [
        "sync origin", "commit removing", "remove delivered", "sync directory of delivered",
        "commit receipt undone + close",
        "finished",
      ]),
  ]
}
