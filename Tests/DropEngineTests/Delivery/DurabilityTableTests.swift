import Testing

@testable import DropEngine

/// The table of durability in `RecoverPhase`, one case per row: a step begins only when the one before it is durable,
/// and what a crash between the two leaves is finished by recovery.
@Suite struct DurabilityTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var way: DeliveryScript.Way
    /// The step of the row.
    var done: String
    /// The step that must not begin before it is durable.
    var next: String
    /// What a crash between the two leaves.
    var found: [Delivery.Name: Delivery.Found.File]
    /// What recovery does; nil if the ledger has no row, so that there is nothing to recover.
    var recovery: [String]?
  }

  @Test(arguments: moves + farMoves + copies + returns + retries + undos)
  func `a step is durable before the next begins, and a crash after it is recovered`(_ row: Row) throws {
    var script = DeliveryScript(row.way)
    try script.advance(to: row.next, after: row.done)
    guard let recovery = row.recovery else {
      #expect(script.row == nil)
      return
    }
    let drop = try #require(script.row)
    var recovered = DeliveryScript(
      recovering: drop, found: Delivery.Found(row.found, of: drop), policy: script.delivery.policy)
    #expect(recovered.finish() == ["find names"] + recovery)
    #expect(recovered.row == nil)
  }

  private static let placed = [
    "sync directory of hold", "sync directory of destination", "commit receipt delivered + close", "finished",
  ]
  private static let judged = ["commit claiming", "commit starts 1", "check", "commit starts 0"]
  private static let leftInZone = forgotten

  static let moves: [Row] = [
    Row(
      testDescription: "move 0: the bytes are synced in the zone, and the ledger knows nothing", way: .move,
      done: "sync origin", next: "commit claiming", found: [.origin: .payload], recovery: nil),
    Row(
      testDescription: "move 1: the intent is committed before the claim", way: .move, done: "commit claiming",
      next: "origin -> hold", found: [.origin: .payload], recovery: leftInZone),
    Row(
      testDescription: "move 2: the payload is in the hold", way: .move, done: "origin -> hold", next: "check",
      found: [.hold: .payload],
      recovery: judged + ["choose 0", "sync hold", "commit placing", "hold -> destination"] + placed),
    Row(
      testDescription: "move 3: an attempt is committed before its handler is called", way: .moveByHandler,
      done: "commit claiming attempt 1 starts 1", next: "ask", found: [.hold: .payload],
      recovery: [
        "commit claiming attempt 1 starts 1", "commit starts 2", "check", "commit starts 1", "await worker",
        "commit claiming attempt 2 starts 2", "ask",
        "commit starts 1", "inspect", "choose 0", "sync hold", "commit placing attempt 2 starts 1",
        "hold -> destination",
        "sync directory of hold", "sync directory of destination",
        "commit receipt delivered + close + forget count", "finished",
      ]),
    Row(
      testDescription: "move 4: verdict and name are committed before the rename into the box", way: .move,
      done: "commit placing", next: "hold -> destination", found: [.hold: .payload],
      recovery: ["commit placing", "choose 0", "commit placing", "hold -> destination"] + placed),
    Row(
      testDescription: "move 5: the payload is in the box, and the hold is synced first", way: .move,
      done: "hold -> destination", next: "sync directory of hold", found: [.destination: .payload], recovery: placed),
    Row(
      testDescription: "move 5: the reason is beside its reject before the rename", way: .reject, done: "write reason",
      next: "hold -> destination", found: [.hold: .payload],
      recovery: [
        "commit placing", "remove reason", "choose 0", "commit placing", "write reason", "hold -> destination",
        "sync directory of hold", "sync directory of destination", "commit receipt rejected handler + close",
        "finished",
      ]),
    Row(
      testDescription: "move 6: the hold is synced, the box is not", way: .move, done: "sync directory of hold",
      next: "sync directory of destination", found: [.destination: .payload], recovery: placed),
    Row(
      testDescription: "move 6: hold and box are synced before the receipt", way: .move,
      done: "sync directory of destination", next: "commit receipt delivered + close",
      found: [.destination: .payload], recovery: placed),
    Row(
      testDescription: "move 7: the receipt ends the row", way: .move, done: "commit receipt delivered + close",
      next: "finished", found: [.destination: .payload], recovery: nil),
  ]

  private static let copied = [
    "copy hold -> temporary", "sync temporary", "sync directory of destination", "inspect", "commit copied",
    "temporary -> destination",
  ]
  private static let named =
    ["sync directory of destination", "commit placed + receipt delivered"] + DeliveryOrderTests.closed
  private static let copiedAgain =
    ["commit placing", "remove temporary", "choose 0", "commit placing"] + copied + named

  /// A file with a second name is copied whatever file system the box is on.
  static let farMoves: [Row] = [
    Row(
      testDescription: "far move 4: verdict and name are committed before the copy", way: .linked,
      done: "commit placing", next: "copy hold -> temporary", found: [.hold: .payload],
      recovery: ["commit placing", "choose 0", "commit placing"] + copied + named),
    Row(
      testDescription: "far move 5: the copy has its hidden name and is not synced", way: .linked,
      done: "copy hold -> temporary", next: "sync temporary", found: [.hold: .payload, .temporary: .copy],
      recovery: copiedAgain),
    Row(
      testDescription: "far move 6: the copy is synced, and its name is not", way: .linked, done: "sync temporary",
      next: "sync directory of destination", found: [.hold: .payload],
      recovery: ["commit placing", "choose 0", "commit placing"] + copied + named),
    Row(
      testDescription: "far move 6: copy and name are synced before the source is checked", way: .linked,
      done: "sync directory of destination", next: "inspect", found: [.hold: .payload, .temporary: .copy],
      recovery: copiedAgain),
    Row(
      testDescription: "far move 7: the copy's inode is committed before it gets its name", way: .linked,
      done: "commit copied", next: "temporary -> destination", found: [.hold: .payload, .temporary: .copy],
      recovery: copiedAgain),
    Row(
      testDescription: "far move 8: the copy has its name", way: .linked, done: "temporary -> destination",
      next: "sync directory of destination", found: [.hold: .payload, .destination: .copy], recovery: named),
    Row(
      testDescription: "far move 9: the name is synced before the receipt", way: .linked,
      done: "sync directory of destination", next: "commit placed + receipt delivered",
      found: [.hold: .payload, .destination: .copy], recovery: named),
    Row(
      testDescription: "far move 10: the receipt is committed before the source goes", way: .linked,
      done: "commit placed + receipt delivered", next: "remove hold",
      found: [.hold: .payload, .destination: .copy], recovery: DeliveryOrderTests.closed),
    Row(
      testDescription: "far move 11: the source is removed", way: .linked, done: "remove hold",
      next: "sync directory of hold", found: [.destination: .copy], recovery: DeliveryOrderTests.closed),
    Row(
      testDescription: "far move 11: the absence of the source is synced before the row is closed", way: .linked,
      done: "sync directory of origin", next: "commit close + forget count", found: [.destination: .copy],
      recovery: DeliveryOrderTests.closed),
    Row(
      testDescription: "far move 11: the row is closed", way: .linked, done: "commit close + forget count",
      next: "finished", found: [.destination: .copy], recovery: nil),
  ]

  private static let forgotten = [
    "sync directory of hold", "commit close if claiming + count + forget note", "left in zone",
  ]

  static let copies: [Row] = [
    Row(
      testDescription: "copy 1: the intent is committed before the snapshot", way: .snapshot,
      done: "commit claiming + forget count",
      next: "copy origin -> hold", found: [.origin: .payload], recovery: forgotten),
    Row(
      testDescription: "copy 2: the snapshot is made and not synced", way: .snapshot, done: "copy origin -> hold",
      next: "sync hold", found: [.origin: .payload, .hold: .copy], recovery: ["remove hold"] + forgotten),
    Row(
      testDescription: "copy 2: snapshot and name are synced before it is judged", way: .snapshot,
      done: "sync directory of hold", next: "check", found: [.origin: .payload, .hold: .copy],
      recovery: ["remove hold"] + forgotten),
    Row(
      testDescription: "copy 4: the verdict on the snapshot is committed", way: .snapshot, done: "commit placing",
      next: "hold -> destination", found: [.origin: .payload, .hold: .copy],
      recovery: [
        "commit placing + note of copy", "choose 0", "commit placing", "hold -> destination",
        "sync directory of hold", "sync directory of destination",
        "commit receipt delivered + close + note of copy", "finished",
      ]),
    Row(
      testDescription: "copy 7: the receipt notes that the original was taken", way: .snapshot,
      done: "commit receipt delivered + close + note of copy", next: "finished",
      found: [.origin: .payload, .destination: .copy], recovery: nil),
    Row(
      testDescription: "copy by the handler 10: the receipt is committed before the original goes back",
      way: .copyByHandler, done: "commit placed attempt 1 + receipt delivered", next: "choose return name 0",
      found: [.hold: .payload, .destination: .copy],
      recovery: [
        "choose return name 0", "commit note", "hold -> origin", "commit note", "sync directory of hold",
        "sync directory of origin", "commit close + forget count", "finished",
      ]),
    Row(
      testDescription: "copy by the handler 11: the note is committed before the original has its name",
      way: .copyByHandler, done: "commit note", next: "hold -> origin", found: [.hold: .payload, .destination: .copy],
      recovery: [
        "choose return name 0", "commit note", "hold -> origin", "commit note", "sync directory of hold",
        "sync directory of origin", "commit close + forget count", "finished",
      ]),
  ]

  private static let putBack = [
    "sync directory of hold", "sync directory of origin", "commit close if returning + count + forget note",
    "left in zone, attempts 1",
  ]

  static let returns: [Row] = [
    Row(
      testDescription: "return: the intent is committed before the rename", way: .notYet,
      done: "commit returning attempt 1", next: "hold -> origin", found: [.hold: .payload],
      recovery: ["hold -> origin"] + putBack),
    Row(
      testDescription: "return: it is in the zone, and the hold is synced first", way: .notYet, done: "hold -> origin",
      next: "sync directory of hold", found: [.origin: .payload], recovery: putBack),
    Row(
      testDescription: "return: hold and zone are synced before the row is closed", way: .notYet,
      done: "sync directory of origin", next: "commit close if returning + count", found: [.origin: .payload],
      recovery: putBack),
    Row(
      testDescription: "return: the row is closed", way: .notYet, done: "commit close if returning + count",
      next: "left in zone, attempts 1", found: [.origin: .payload], recovery: nil),
    Row(
      testDescription: "return of a snapshot: it is removed, and its row is there until that is synced",
      way: .notYetSnapshot, done: "remove hold", next: "sync directory of hold", found: [.origin: .payload],
      recovery: [
        "sync directory of hold", "commit close if claiming + count + forget note",
        "left in zone, attempts 1, starts 1",
      ]),
  ]

  static let retries: [Row] = [
    Row(
      testDescription: "retry 1: the intent is committed before it leaves the rejects", way: .retry,
      done: "commit claiming", next: "origin -> hold", found: [.origin: .payload],
      recovery: ["sync directory of hold", "commit close if claiming + count", "left in zone"]),
    Row(
      testDescription: "retry 2: it is in the hold", way: .retry, done: "origin -> hold", next: "check",
      found: [.hold: .payload],
      recovery: judged + ["choose 0", "sync hold", "commit placing", "hold -> destination", "sync directory of hold"]
        + [
          "sync directory of destination", "commit receipt delivered + placed", "remove old reason",
          "sync directory of old reason", "commit close + forget count", "finished",
        ]),
    Row(
      testDescription: "retry 7: the old reason is there until the receipt is committed", way: .retry,
      done: "commit receipt delivered + placed", next: "remove old reason", found: [.destination: .payload],
      recovery: [
        "remove old reason", "sync directory of old reason", "commit close + forget count", "finished",
      ]),
  ]

  private static let undone = [
    "sync directory of origin", "remove delivered", "sync directory of delivered",
    "commit note + receipt undone + close", "finished",
  ]
  private static let copyUndone = ["sync directory of delivered", "commit receipt undone + close", "finished"]

  static let undos: [Row] = [
    Row(
      testDescription: "undo: the intent is committed before it leaves the box", way: .undo, done: "commit returning",
      next: "delivered -> origin", found: [.delivered: .payload],
      recovery: ["commit returning + note of copy", "delivered -> origin"] + undone),
    Row(
      testDescription: "undo: it is in the zone, which is synced first", way: .undo, done: "delivered -> origin",
      next: "sync directory of origin", found: [.origin: .payload], recovery: ["commit note"] + undone),
    Row(
      testDescription: "undo: zone and box are synced before the receipt", way: .undo,
      done: "sync directory of delivered", next: "commit note + receipt undone + close", found: [.origin: .payload],
      recovery: ["commit note"] + undone),
    Row(
      testDescription: "undo from another file system: the copy is not committed", way: .undoFar,
      done: "sync half copy", next: "commit returning", found: [.delivered: .payload, .halfCopy: .copy],
      recovery: ["remove half copy", "commit returning + note of copy", "delivered -> origin"] + undone),
    Row(
      testDescription: "undo from another file system: the copy is committed before it gets its name", way: .undoFar,
      done: "commit returning", next: "half copy -> origin", found: [.delivered: .payload, .halfCopy: .copy],
      recovery: ["remove half copy", "commit returning + note of copy", "delivered -> origin"] + undone),
    Row(
      testDescription: "undo from another file system: the copy's name is synced before the box's file goes",
      way: .undoFar, done: "sync directory of origin", next: "remove delivered",
      found: [.delivered: .payload, .origin: .copy], recovery: ["commit note"] + undone),
    Row(
      testDescription: "undo of a copy: the removal is committed before the copy goes", way: .undoCopy,
      done: "commit removing", next: "remove delivered", found: [.delivered: .payload, .origin: .payload],
      recovery: ["remove delivered"] + copyUndone),
    Row(
      testDescription: "undo of a copy: the copy is gone, and no receipt says so yet", way: .undoCopy,
      done: "remove delivered", next: "sync directory of delivered", found: [.origin: .payload],
      recovery: copyUndone),
    Row(
      testDescription: "undo of a copy: its absence is synced before the receipt", way: .undoCopy,
      done: "sync directory of delivered", next: "commit receipt undone + close", found: [.origin: .payload],
      recovery: copyUndone),
  ]
}
