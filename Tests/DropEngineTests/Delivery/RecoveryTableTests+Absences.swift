@testable import DropEngine

extension RecoveryTableTests {
  // MARK: - Places that are not there

  static let absences: [Absence] = {
    let placing = placingDrop()
    let copied = placingDrop {
      $0.state = .copied
      $0.copyInode = DeliveryScript.copyInode
    }
    let snapshot = drop(.claiming) { $0.becomeCopy() }
    let undo = drop(.returning) { $0.source = "/box/a.pdf" }
    var removing = undo
    removing.state = .removing
    var placed = copied
    placed.state = .placed
    return [
      Absence(
        testDescription: "claiming, in neither, without the zone", drop: drop(.claiming), away: [.origin],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "claiming, in neither, without the hold", drop: drop(.claiming), away: [.hold],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "snapshot, without hold and box: its original is not taken again", drop: snapshot,
        found: [.origin: .payload], away: [.hold, .delivered], before: ["commit note of copy"]),
      Absence(
        testDescription: "placing, nowhere, without the box", drop: placing, away: [.destination],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "placing, nowhere, without the hold", drop: placing, away: [.hold],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "placing, nowhere, without the zone", drop: placing, away: [.origin],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "copied, without the box", drop: copied, found: [.hold: .payload], away: [.destination],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "copied, without hold and zone", drop: copied, found: [.destination: .copy],
        away: [.hold, .origin], before: ["commit note of copy"]),
      Absence(
        testDescription: "placed, without hold and zone", drop: placed, found: [.destination: .copy],
        away: [.hold, .origin], before: ["commit note of copy"]),
      Absence(
        testDescription: "returning, without the zone", drop: drop(.returning), found: [.hold: .payload],
        away: [.origin], before: ["commit note of copy"]),
      Absence(
        testDescription: "returning, in neither, without the hold", drop: drop(.returning), away: [.hold],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "undo, without the zone", drop: undo, found: [.delivered: .payload], away: [.origin],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "undo, without the box", drop: undo, found: [.origin: .payload], away: [.delivered],
        before: ["commit note of copy"]),
      Absence(
        testDescription: "undo of a copy, without the box", drop: removing, found: [.origin: .payload],
        away: [.delivered]),
      Absence(
        testDescription: "undo of a copy, without the zone", drop: removing, found: [.delivered: .payload],
        away: [.origin]),
    ]
  }()
}
