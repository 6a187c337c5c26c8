@testable import DropEngine

extension RecoveryTableTests {
  // MARK: - Copies of originals that stay

  static let snapshots: [Row] = {
    let early = drop(.claiming) { $0.becomeCopy() }
    let whole = drop(.claiming) {
      $0.becomeCopy()
      $0.inode = DeliveryScript.copyInode
    }
    var decided = whole
    decided.decide()
    let forgotten = [
      "sync directory of hold", "commit close if claiming + count + forget note", "left in zone",
    ]
    let delivered =
      ["choose 0", "sync hold", "commit placing", "hold -> destination"]
      + receipt.map {
        $0 == "commit receipt delivered + close" ? "commit receipt delivered + close + note of copy" : $0
      }
    return [
      Row(
        testDescription: "snapshot not made: the original is staged by the scan", drop: early,
        found: [.origin: .payload], steps: forgotten),
      Row(
        testDescription: "snapshot not in its row: removed, and the original is staged by the scan", drop: early,
        found: [.origin: .payload, .hold: .copy], steps: ["remove hold"] + forgotten),
      Row(
        testDescription: "snapshot without a verdict: removed, and the original is staged by the scan", drop: whole,
        found: [.origin: .payload, .hold: .copy], steps: ["remove hold"] + forgotten),
      Row(
        testDescription: "snapshot whose original is gone: it is all there is, and is judged again", drop: whole,
        found: [.hold: .copy], steps: ["commit claiming + note of copy"] + judged + delivered),
      Row(
        testDescription: "snapshot with a verdict: judged again, and the original is not taken again", drop: decided,
        found: [.origin: .payload, .hold: .copy],
        steps: ["commit claiming + note of copy"] + judged + delivered),
      Row(
        testDescription: "snapshot that was to be given up: removed",
        drop: drop(.returning) {
          $0.becomeCopy()
          $0.inode = DeliveryScript.copyInode
        }, found: [.origin: .payload, .hold: .copy],
        steps: [
          "remove hold", "sync directory of hold", "commit close if returning + count + forget note", "left in zone",
        ]),
    ]
  }()

  // MARK: - On the way back

  static let returning: [Row] = {
    let back = [
      "sync directory of hold", "sync directory of origin", "commit close if returning + count + forget note",
      "left in zone",
    ]
    return [
      Row(
        testDescription: "returning, in the hold: renamed again", drop: drop(.returning), found: [.hold: .payload],
        steps: ["hold -> origin"] + back),
      Row(
        testDescription: "returning, in hold and zone: the hold's name goes", drop: drop(.returning),
        found: [.hold: .payload, .origin: .payload], steps: ["remove hold"] + back),
      Row(
        testDescription: "returning, in the zone: the row is closed", drop: drop(.returning),
        found: [.origin: .payload], steps: back),
      Row(
        testDescription: "returning, in neither: withdrawn", drop: drop(.returning), steps: withdrawn),
      Row(
        testDescription: "returning, in neither, and the name is another file's: withdrawn", drop: drop(.returning),
        found: [.origin: .other], steps: withdrawn),
    ]
  }()

  static let undoing: [Row] = {
    let undo = drop(.returning) { $0.source = "/box/a.pdf" }
    var far = undo
    far.copyInode = DeliveryScript.copyInode
    var removing = undo
    removing.state = .removing
    let undone = [
      "sync directory of origin", "remove delivered", "sync directory of delivered",
      "commit note + receipt undone + close", "finished",
    ]
    let copyUndone = ["sync directory of delivered", "commit receipt undone + close", "finished"]
    return [
      Row(
        testDescription: "undo, in the box: renamed again", drop: undo, found: [.delivered: .payload],
        steps: ["commit returning + note of copy", "delivered -> origin"] + undone),
      Row(
        testDescription: "undo, in the zone: it is noted before the scan sees it", drop: undo,
        found: [.origin: .payload], steps: ["commit note"] + undone),
      Row(
        testDescription: "undo, in box and zone: the box's name goes", drop: undo,
        found: [.delivered: .payload, .origin: .payload], steps: ["commit note"] + undone),
      Row(
        testDescription: "undo, in the box, and the name is another file's: tried again", drop: undo,
        found: [.delivered: .payload, .origin: .other],
        steps: ["commit returning + note of copy", "delivered -> origin"] + undone),
      Row(
        testDescription: "undo by copy, half of it made: copied again", drop: far,
        found: [.delivered: .payload, .halfCopy: .copy],
        steps: ["remove half copy", "commit returning + note of copy", "delivered -> origin"] + undone),
      Row(
        testDescription: "undo by copy, which has its name: the box's file goes", drop: far,
        found: [.delivered: .payload, .origin: .copy], steps: ["commit note"] + undone),
      Row(
        testDescription: "undo of a copy, still in the box: removed", drop: removing,
        found: [.delivered: .payload, .origin: .payload], steps: ["remove delivered"] + copyUndone),
      Row(
        testDescription: "undo of a copy, gone: the receipt says so", drop: removing, found: [.origin: .payload],
        steps: copyUndone),
      Row(
        testDescription: "undo of a copy whose original is gone: the delivery stands", drop: removing,
        found: [.delivered: .payload], steps: ["commit close + forget note", "refused"]),
      Row(
        testDescription: "undo of a copy whose original has changed: the delivery stands", drop: removing,
        found: [.delivered: .payload, .origin: .short], steps: ["commit close + forget note", "refused"]),
    ]
  }()
}
