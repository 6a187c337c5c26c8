import DropEngine

/// What must be true between any two steps.
enum StepCheck {
  static func run(_ machine: inout Machine) {
    let census = Census(machine)
    for index in machine.witness.payloads.indices {
      let known = machine.witness.payloads[index]
      if known.state == .expected, !census.isAnywhere(index) {
        machine.witness.report(.lost, "\(known.content) is nowhere")
      }
      if !machine.witness.isAfterCut, !known.isLinked { checkDoubles(known, census[index], &machine) }
    }
    checkBox(&machine)
  }

  private static func checkDoubles(_ known: Witness.Known, _ counts: Census.Counts, _ machine: inout Machine) {
    let visible = known.isCopied ? max(counts.box, counts.rejects) : counts.zone + counts.box + counts.rejects
    if visible < 2 { return }
    if machine.witness.hasRenamed || machine.witness.isLenient { return }
    // An undo puts the payload into the zone before it leaves the box.
    if machine.ledger.rows.contains(where: { $0.delivered != nil }) { return }
    machine.witness.report(
      .doubled,
      "\(known.content) has \(counts.zone) names in the zone, \(counts.box) in the box, "
        + "\(counts.rejects) in the rejects")
  }

  /// Nothing is in the box with bytes that were not judged.
  private static func checkBox(_ machine: inout Machine) {
    // What its sender wrote to a file that was on its way back may be in the box again after a power cut.
    if machine.witness.isLenient || machine.ledger.rows.contains(where: { $0.delivered != nil }) { return }
    let box = machine[.box]
    for entry in machine.disks[box.disk].entries {
      guard machine.names.kind(of: entry.name) == .ordinary else { continue }
      let file = FileReference(disk: box.disk, id: entry.file)
      guard !machine[file].isDirectory, machine.place(of: Folder(disk: box.disk, id: entry.directory)) == .box,
        !machine.witness.foreign.contains(file)
      else { continue }
      if !machine.witness.isJudged(machine[file].content, hasHandler: machine.setup.hasHandler) {
        machine.witness.report(.unjudged, "\(machine[file].content) is in the box")
      }
    }
  }
}
