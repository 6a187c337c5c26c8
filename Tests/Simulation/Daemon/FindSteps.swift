import DropEngine

/// Where a row's names lead after a stop, as `Sources/DropFlow/Recover` finds out.
enum FindSteps {
  static func find(_ payload: Payload, _ machine: Machine, _ error: CallError?) -> Delivery.Event {
    if error != nil { return .failed(.init(.other)) }
    let drop = payload.drop
    var found = Delivery.Found()
    let isUndo = drop.delivered != nil
    let hold = folder(machine, drop.delivered?.parent ?? RawPath(drop.holdPath))
    found.isHoldThere = isUndo ? hold != nil : machine.isThere(drop.holdPath)
    let entry = drop.delivered.map { machine.names[$0.lastComponent] } ?? machine.names.entry(drop.entry)
    found.held = hold.flatMap { machine.status(of: entry, in: $0) }
    let origin = originFolder(drop, machine)
    found.origin = origin.flatMap { machine.status(of: originName(drop, machine), in: $0) }
    found.isOriginThere = machine.isThere(drop.source == nil || isUndo ? drop.zonePath : drop.rejectsPath)
    found.isBoxThere = machine.isThere(drop.boxPath)
    let temporary = machine.names.temporary(of: drop.id)
    if let root = drop.destinationRoot, let name = drop.destinationName {
      let place = folder(machine, RawPath(root).appending(drop.destinationDirectory))
      found.isDestinationThere = machine.isThere(root)
      found.destination = place.flatMap { machine.status(of: machine.names[name], in: $0) }
      found.temporary = place.flatMap { machine.status(of: temporary, in: $0) }
    } else if isUndo {
      found.temporary = origin.flatMap { machine.status(of: temporary, in: $0) }
    }
    return .found(found)
  }

  private static func folder(_ machine: Machine, _ path: RawPath) -> Folder? { try? machine.folder(at: path) }

  private static func originFolder(_ drop: Drop, _ machine: Machine) -> Folder? {
    if drop.isFromRejects, let source = drop.source { return folder(machine, source.parent) }
    return folder(machine, RawPath(drop.zonePath).appending(drop.location.parent))
  }

  private static func originName(_ drop: Drop, _ machine: Machine) -> Name {
    let own = drop.isFromRejects ? drop.source : nil
    return machine.names[(own ?? drop.location).lastComponent]
  }

  /// Deliveries for what lies in holds and is in no row.
  static func orphans(_ machine: inout Machine, _ policy: DeliveryPolicy) -> [Delivery] {
    var deliveries: [Delivery] = []
    for place in Place.allCases where place.isHold && machine.isThere(place.path) {
      let folder = machine[place]
      for entry in machine.disks[folder.disk].list(folder.id) {
        let name = machine.names.text(of: entry.name)
        let text = name.string ?? ""
        guard let id = DropID(String(text.prefix { $0 != "." })) else { continue }
        if machine.ledger.rows.contains(where: { $0.id == id || $0.entry == text }) { continue }
        let isUsed = machine.ledger.outcome(of: id) != nil || deliveries.contains { $0.drop.id == id }
        let own = isUsed ? machine.newID() : id
        let status = machine.status(of: FileReference(disk: folder.disk, id: entry.file))
        machine.witness.foundOrphan(own)
        deliveries.append(Delivery(placingOrphan: row(own, text, status, place, machine, policy), policy: policy))
      }
    }
    return deliveries
  }

  private static func row(
    _ id: DropID, _ entry: String, _ status: FileStatus, _ hold: Place, _ machine: Machine, _ policy: DeliveryPolicy
  ) -> Drop {
    let settings = policy.settings
    var drop = Drop(
      id: id, zone: settings.name, location: RawPath("recovered-" + entry), state: .placing, operation: .move,
      zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold.path, entry: entry,
      inode: status.identity.inode, birth: status.identity.birth, size: status.size, modified: status.modified,
      firstSeen: machine.now, released: machine.now, evidence: .quietOnly)
    drop.changed = status.changed
    drop.links = status.links
    drop.verdict = .rejected(.ledgerLost, message: "it lay in the hold and the ledger did not know it")
    return drop
  }
}
