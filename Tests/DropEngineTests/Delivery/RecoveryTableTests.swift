import Testing

@testable import DropEngine

/// The tables of recovery in `RecoverPhase`, one case per row: a row of the ledger and the names that exist go in, and
/// what recovery does comes out.
@Suite struct RecoveryTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var drop: Drop
    var found: [Delivery.Name: Delivery.Found.File] = [:]
    /// The places that are not there.
    var away: Set<Delivery.Name> = []
    var steps: [String]
  }

  @Test(arguments: claiming + placing + copied + placed + snapshots + returning + undoing)
  func `the row and the names that exist say what is left to do`(_ row: Row) {
    var script = DeliveryScript(
      recovering: row.drop, found: Delivery.Found(row.found, of: row.drop, away: row.away))
    #expect(script.finish() == ["find names"] + row.steps)
    #expect(script.row == nil)
  }

  struct Absence: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var drop: Drop
    var found: [Delivery.Name: Delivery.Found.File] = [:]
    var away: Set<Delivery.Name>
    /// What is done before it waits.
    var before: [String] = []
  }

  @Test(arguments: absences)
  func `where a place is not there, nothing is concluded, and it is looked for again`(_ absence: Absence) throws {
    var script = DeliveryScript(
      recovering: absence.drop, found: Delivery.Found(absence.found, of: absence.drop, away: absence.away))
    try script.advance(to: "wait blocked")
    #expect(script.outline == ["find names"] + absence.before)
    #expect(script.row == absence.drop && script.receipts.isEmpty)
    script.perform()
    #expect(script.next == "find names" && script.delivery.isRecovering)
  }

  static func drop(_ state: Drop.State, _ change: (inout Drop) -> Void = { _ in }) -> Drop {
    var drop = Drop.test(state)
    change(&drop)
    return drop
  }

  static let judged = ["commit starts 1", "check", "commit starts 0"]
  static let receipt = [
    "sync directory of hold", "sync directory of destination", "commit receipt delivered + close", "finished",
  ]
  static let renamed = ["choose 0", "commit placing", "hold -> destination"] + receipt
  static let rejudged = judged + ["choose 0", "sync hold", "commit placing", "hold -> destination"] + receipt
  static let withdrawn = [
    "sync directory of hold", "sync directory of origin", "commit receipt withdrawn + close", "finished",
  ]

  // MARK: - Not decided yet

  static let claiming: [Row] = [
    Row(
      testDescription: "claiming, in the zone: staged by the scan", drop: drop(.claiming),
      found: [.origin: .payload],
      steps: ["sync directory of hold", "commit close if claiming + count + forget note", "left in zone"]),
    Row(
      testDescription: "claiming, in the zone: its attempts and starts stay with the file",
      drop: drop(.claiming) { ($0.attempts, $0.starts) = (2, 1) }, found: [.origin: .payload],
      steps: [
        "sync directory of hold", "commit close if claiming + count + forget note",
        "left in zone, attempts 2, starts 1",
      ]),
    Row(
      testDescription: "claiming, in the hold: judged again", drop: drop(.claiming), found: [.hold: .payload],
      steps: ["commit claiming"] + rejudged),
    Row(
      testDescription: "claiming, in zone and hold: the zone's name goes", drop: drop(.claiming),
      found: [.origin: .payload, .hold: .payload], steps: ["commit claiming", "remove origin"] + rejudged),
    Row(
      testDescription: "claiming, in the hold, and another file has its name: that one stays", drop: drop(.claiming),
      found: [.origin: .other, .hold: .payload], steps: ["commit claiming"] + rejudged),
    Row(
      testDescription: "claiming, in neither: withdrawn", drop: drop(.claiming), steps: withdrawn),
    Row(
      testDescription: "claiming, another file has its name: withdrawn", drop: drop(.claiming),
      found: [.origin: .other], steps: withdrawn),
    Row(
      testDescription: "claiming, another file in the hold: it goes back to its name", drop: drop(.claiming),
      found: [.hold: .other],
      steps: [
        "hold -> origin", "sync directory of hold", "sync directory of origin",
        "commit close if claiming + count + forget note",
        "left in zone",
      ]),
    Row(
      testDescription: "claiming, in the hold after the last start that may die on it: set aside",
      drop: drop(.claiming) { $0.starts = 3 }, found: [.hold: .payload],
      steps: [
        "commit claiming starts 3", "commit starts 4", "check", "commit starts 3", "choose 0", "sync hold",
        "commit placing starts 3", "write reason",
        "hold -> destination", "sync directory of hold", "sync directory of destination",
        "commit receipt failed crashes + close + forget count", "finished",
      ]),
    Row(
      testDescription: "claiming of a retry, in the rejects: it stays there",
      drop: drop(.claiming) { $0.source = "/box.rejects/a.pdf" }, found: [.origin: .payload],
      steps: ["sync directory of hold", "commit close if claiming + count", "left in zone"]),
  ]

  // MARK: - Decided

  static func placingDrop(_ change: (inout Drop) -> Void = { _ in }) -> Drop {
    drop(.placing) {
      $0.decide()
      change(&$0)
    }
  }

  static let placing: [Row] = [
    Row(
      testDescription: "placing, in the hold: the verdict stands", drop: placingDrop(), found: [.hold: .payload],
      steps: ["commit placing"] + renamed),
    Row(
      testDescription: "placing, in the hold with another size: damaged by the power cut", drop: placingDrop(),
      found: [.hold: .short],
      steps: ["commit claiming"] + judged + [
        "choose 0", "commit placing", "write reason", "hold -> destination", "sync directory of hold",
        "sync directory of destination", "commit receipt failed damaged-by-power-cut + close", "finished",
      ]),
    Row(
      testDescription: "placing, in the hold, and another file has the name: the verdict stands", drop: placingDrop(),
      found: [.hold: .payload, .destination: .other], steps: ["commit placing"] + renamed),
    Row(
      testDescription: "placing, in the hold, with a temporary: it goes, and the copy is made again",
      drop: placingDrop(),
      found: [.hold: .payload, .temporary: .copy], steps: ["commit placing", "remove temporary"] + renamed),
    Row(
      testDescription: "placing of a reject, in the hold: its reason goes, and is written again",
      drop: drop(.placing) { $0.decide(.rejected(.type, message: "no")) }, found: [.hold: .payload],
      steps: [
        "commit placing", "remove reason", "choose 0", "commit placing", "write reason", "hold -> destination",
        "sync directory of hold", "sync directory of destination", "commit receipt rejected type + close", "finished",
      ]),
    Row(
      testDescription: "placing, in the box only: synced, and then the receipt", drop: placingDrop(),
      found: [.destination: .payload], steps: receipt),
    Row(
      testDescription: "placing, in the box, and the hold went with its place: the box is synced", drop: placingDrop(),
      found: [.destination: .payload], away: [.hold],
      steps: ["sync directory of destination", "commit receipt delivered + close", "finished"]),
    Row(
      testDescription: "placing, in hold and box: the hold's name goes", drop: placingDrop(),
      found: [.hold: .payload, .destination: .payload], steps: ["remove hold"] + receipt),
    Row(
      testDescription: "placing of a reject, in the rejects: its reason is written before the receipt",
      drop: drop(.placing) { $0.decide(.rejected(.type, message: "no")) }, found: [.destination: .payload],
      steps: [
        "write reason", "sync directory of hold", "sync directory of destination",
        "commit receipt rejected type + close", "finished",
      ]),
    Row(
      testDescription: "placing, in the zone only: the power cut undid the claim as well", drop: placingDrop(),
      found: [.origin: .payload],
      steps: ["sync directory of destination", "commit close if placing + forget note", "left in zone"]),
    Row(
      testDescription: "placing of a reject, in the zone only: its reason goes first",
      drop: drop(.placing) { $0.decide(.rejected(.type, message: "no")) }, found: [.origin: .payload],
      steps: [
        "remove reason", "sync directory of destination", "commit close if placing + forget note", "left in zone",
      ]),
    Row(
      testDescription: "placing, nowhere: its reader took it from the box", drop: placingDrop(),
      steps: [
        "sync directory of destination", "sync directory of hold", "commit receipt delivered + close", "finished",
      ]),
    Row(
      testDescription: "placing without a name, in the hold: judged again", drop: drop(.placing),
      found: [.hold: .payload], steps: ["commit placing"] + judged + renamed),
  ]

  // MARK: - Copied

  static let copied: [Row] = {
    let drop = placingDrop {
      $0.state = .copied
      $0.copyInode = DeliveryScript.copyInode
    }
    var reject = drop
    reject.decide(.rejected(.type, message: "no"))
    var unnamed = drop
    unnamed.copyInode = nil
    let closed = DeliveryOrderTests.closed
    let named = ["sync directory of destination", "commit placed + receipt delivered"] + closed
    return [
      Row(
        testDescription: "copied, source and temporary: copied again once the row says placing", drop: drop,
        found: [.hold: .payload, .temporary: .copy], steps: ["commit placing", "remove temporary"] + renamed),
      Row(
        testDescription: "copied reject, source and temporary: its reason goes as well", drop: reject,
        found: [.hold: .payload, .temporary: .copy],
        steps: [
          "commit placing", "remove temporary", "remove reason", "choose 0", "commit placing", "write reason",
          "hold -> destination", "sync directory of hold", "sync directory of destination",
          "commit receipt rejected type + close", "finished",
        ]),
      Row(
        testDescription: "copied, temporary without its source: it gets its name", drop: drop,
        found: [.temporary: .copy],
        steps: ["choose for copy 0", "commit copied", "temporary -> destination"] + named),
      Row(
        testDescription: "copied, at its destination: synced, and then the receipt", drop: drop,
        found: [.hold: .payload, .destination: .copy], steps: named),
      Row(
        testDescription: "copied, under both names: the temporary goes", drop: drop,
        found: [.hold: .payload, .temporary: .copy, .destination: .copy], steps: ["remove temporary"] + named),
      Row(
        testDescription: "copied, under neither name: its reader took it from the box", drop: drop,
        found: [.hold: .payload], steps: named),
      Row(
        testDescription: "copied, another file has the name: its reader took it from the box", drop: drop,
        found: [.hold: .payload, .destination: .other], steps: named),
      Row(
        testDescription: "copied, without the inode of its copy: judged again", drop: unnamed,
        found: [.hold: .payload], steps: ["commit copied"] + judged + renamed),
    ]
  }()

  // MARK: - Placed

  static let placed: [Row] = {
    let drop = placingDrop {
      $0.state = .placed
      $0.copyInode = DeliveryScript.copyInode
    }
    let closed = DeliveryOrderTests.closed
    return [
      Row(
        testDescription: "placed, source in the hold: it is removed", drop: drop,
        found: [.hold: .payload, .destination: .copy], steps: closed),
      Row(
        testDescription: "placed, source in the zone again: it is removed there", drop: drop,
        found: [.origin: .payload, .destination: .copy], steps: ["commit note"] + closed),
      Row(
        testDescription: "placed, no source: the row is closed", drop: drop, found: [.destination: .copy],
        steps: closed),
      Row(
        testDescription: "placed retry by rename: only its old reason goes",
        drop: placingDrop {
          $0.state = .placed
          $0.source = "/box.rejects/a.pdf"
        }, found: [.destination: .payload],
        steps: ["remove old reason", "sync directory of old reason", "commit close + forget count", "finished"]),
      Row(
        testDescription: "placed retry under the name that it had: its reason stays",
        drop: placingDrop {
          $0.state = .placed
          $0.decide(.rejected(.type, message: "no"))
          $0.source = "/box.rejects/a.pdf"
        }, found: [.destination: .payload], steps: ["commit close + forget count", "finished"]),
    ]
  }()
}
