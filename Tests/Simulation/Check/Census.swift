import DropEngine

/// How many names each payload has in which place, with all its bytes.
struct Census {
  private var counts: [Counts]

  struct Counts {
    var zone = 0
    var hold = 0
    var box = 0
    var rejects = 0
    /// In the box, as a file of somebody else with the same bytes.
    var twins = 0
  }

  init(_ machine: Machine) {
    counts = Array(repeating: Counts(), count: machine.witness.payloads.count)
    for disk in machine.disks.indices {
      for entry in machine.disks[disk].entries { count(entry, on: disk, machine) }
    }
  }

  private mutating func count(_ entry: Entry, on disk: Int, _ machine: Machine) {
    let file = FileReference(disk: disk, id: entry.file)
    let content = machine[file].content
    guard content.length > 0, let index = machine.witness.index(of: content),
      machine.witness.payloads[index].content == content, machine.names.kind(of: entry.name) == .ordinary
    else { return }
    switch machine.place(of: Folder(disk: disk, id: entry.directory)) {
    case .zone, .secondZone: counts[index].zone += 1
    case .zoneHold, .secondZoneHold, .boxHold, .rejectsHold: counts[index].hold += 1
    case .box:
      if machine.witness.foreign.contains(file) { counts[index].twins += 1 } else { counts[index].box += 1 }
    case .rejects: counts[index].rejects += 1
    case nil: break
    }
  }

  subscript(index: Int) -> Counts { counts[index] }

  func isAnywhere(_ index: Int) -> Bool {
    let own = counts[index]
    return own.zone + own.hold + own.box + own.rejects + own.twins > 0
  }
}
