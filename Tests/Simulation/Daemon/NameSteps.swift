import DropEngine

/// Renames, removals and reasons, as the daemon performs them.
enum NameSteps {
  static func rename(
    _ name: Delivery.Name, to newName: Delivery.Name, replacing: Bool, _ payload: inout Payload,
    _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    if name == .origin, newName == .hold, payload.released != nil { return claim(&payload, &machine, error) }
    do throws(CallError) {
      if let error { throw error }
      let source = try PayloadNames.place(of: name, payload.delivery, machine)
      // Another delivery may have replaced it in the box since the undo was asked for.
      if name == .delivered, let found = machine.status(of: source.name, in: source.folder),
        !found.identity.matches(inode: payload.drop.inode, birth: payload.drop.birth)
      {
        return .failed(.init(.changed))
      }
      var target: NamedPlace
      if newName == .origin {
        target = NamedPlace(
          folder: try PayloadNames.makeOrigin(of: payload.drop, &machine),
          name: machine.names[payload.delivery.returnLocation.lastComponent])
      } else {
        target = try PayloadNames.place(of: newName, payload.delivery, machine)
      }
      let before = machine
      machine.witness.willRename(from: source, to: target, replacing: replacing, payload, before)
      try machine.rename(source.name, in: source.folder, to: target.name, in: target.folder, replacing: replacing)
      if newName == .hold { return .renamed(nil) }
      if newName == .destination { People.noticeArrival(at: target, &machine) }
      return .renamed(newName == .origin ? machine.status(of: target.name, in: target.folder) : nil)
    } catch {
      return .failed(failure(ofRenaming: name, error, payload.drop, machine))
    }
  }

  private static func failure(
    ofRenaming name: Delivery.Name, _ error: CallError, _ drop: Drop, _ machine: Machine
  ) -> Delivery.Failure {
    var failure = Delivery.Failure(error)
    guard failure.kind == .missing else { return failure }
    // The directory that it was to go to may be what is missing.
    failure.kind = .other
    if name == .hold, (try? PayloadNames.openHeld(drop, machine)) == nil {
      failure.kind = machine.isThere(drop.holdPath) ? .missing : .holdMissing
    }
    if name == .origin { failure.kind = .missing }
    return failure
  }

  /// The rename out of the zone, between two inspections of its writers.
  private static func claim(_ payload: inout Payload, _ machine: inout Machine, _ error: CallError?) -> Delivery.Event {
    guard let file = payload.file, let status = payload.released else { return .failed(.init(.changed)) }
    let usesLease = machine.setup.usesLease
    if usesLease, machine[file].writers > 0 { return .failed(.init(.changed)) }
    let target: NamedPlace
    do throws(CallError) {
      if let error { throw error }
      guard machine.status(of: file).isUnchanged(since: status) else { return .failed(.init(.changed)) }
      let source = try PayloadNames.place(of: .origin, payload.delivery, machine)
      target = try PayloadNames.place(of: .hold, payload.delivery, machine)
      try machine.rename(source.name, in: source.folder, to: target.name, in: target.folder)
    } catch {
      return .failed(.init(error))
    }
    payload.released = nil
    let isOpenedLate = machine.lateOpeners.contains(file)
    if isOpenedLate { People.openLate(file, &machine) }
    guard let held = machine.status(of: target.name, in: target.folder) else { return .renamed(nil) }
    let isSame = held.identity == status.identity && held.size == status.size && held.modified == status.modified
    if isSame, !(usesLease && isOpenedLate) { return .renamed(held) }
    payload.file = nil
    return .disturbed(held)
  }

  // MARK: - Removals

  /// Removes a name, if it is the payload's; one that is gone already counts as removed.
  static func remove(
    _ name: Delivery.Name, _ payload: Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    let drop = payload.drop
    let place: NamedPlace
    do throws(CallError) {
      place = try PayloadNames.place(of: name, payload.delivery, machine)
    } catch {
      guard Delivery.Failure(error).kind == .missing || error == .crossDevice else { return .failed(.init(error)) }
      // What lies in a hold that is not there is not gone. But a power cut may have taken the hold and left the payload in
      // the zone, where it goes next.
      if name == .hold, drop.state != .placed || !isAtOrigin(payload, machine) { return .failed(.init(.holdMissing)) }
      if name == .delivered, drop.state == .removing { return .failed(.init(.other)) }
      return .done
    }
    do throws(CallError) {
      switch name {
      case .reason:
        removeReason(beside: drop.nameAtDestination, drop.id, in: place.folder, &machine)
      case .oldReason:
        removeReason(beside: machine.names.text(of: place.name), drop.id, in: place.folder, &machine)
      default:
        if let error { throw error }
        try remove(name, at: place, drop, &machine)
      }
      return .done
    } catch {
      return .failed(.init(error))
    }
  }

  private static func remove(
    _ name: Delivery.Name, at place: NamedPlace, _ drop: Drop, _ machine: inout Machine
  ) throws(CallError) {
    guard let found = machine.status(of: place.name, in: place.folder) else { return }
    let isOurs =
      name == .temporary || name == .halfCopy || name == .hold && drop.original != nil && drop.state == .claiming
    guard isOurs || found.identity.matches(inode: drop.inode, birth: drop.birth) else { return }
    // A power cut may have left it in the zone, and its sender may have gone on with it there before the daemon started.
    if name == .origin, drop.state == .placed, found.size != drop.size || found.modified != drop.modified { return }
    try machine.unlink(place.name, in: place.folder)
  }

  private static func isAtOrigin(_ payload: Payload, _ machine: Machine) -> Bool {
    guard let place = try? PayloadNames.place(of: .origin, payload.delivery, machine),
      let status = machine.status(of: place.name, in: place.folder)
    else { return false }
    return status.identity.matches(inode: payload.drop.inode, birth: payload.drop.birth)
  }

  // MARK: - Reasons

  static func writeReason(_ payload: Payload, _ machine: inout Machine, _ error: CallError?) -> Delivery.Event {
    let id = payload.drop.id
    do throws(CallError) {
      let place = try PayloadNames.place(of: .reason, payload.delivery, machine)
      if let error { throw error }
      let isThere = isOwnReason(place.name, id, in: place.folder, machine)
      let temporary = machine.names[RawPath(".dropzone-\(id).reason")]
      if machine.find(temporary, in: place.folder) != nil { try machine.unlink(temporary, in: place.folder) }
      let file = try machine.create(temporary, in: place.folder)
      machine.write(.reason(of: machine.number(of: id)), to: file)
      if machine.setup.isDurable { machine.sync(file) }
      do throws(CallError) {
        try machine.rename(temporary, in: place.folder, to: place.name, in: place.folder, replacing: isThere)
      } catch {
        try machine.unlink(temporary, in: place.folder)
        throw error
      }
      if machine.setup.isDurable { machine.sync(place.folder) }
      return .done
    } catch {
      return .failed(.init(error))
    }
  }

  static func isOwnReason(_ name: Name, _ id: DropID, in folder: Folder, _ machine: Machine) -> Bool {
    guard let file = machine.find(name, in: folder) else { return false }
    return machine[file].content == .reason(of: machine.number(of: id))
  }

  private static func removeReason(beside name: RawPath, _ id: DropID, in folder: Folder, _ machine: inout Machine) {
    let reason = machine.names.reason(beside: machine.names[name])
    if isOwnReason(reason, id, in: folder, machine) { try? machine.unlink(reason, in: folder) }
    let temporary = machine.names[RawPath(".dropzone-\(id).reason")]
    if machine.find(temporary, in: folder) != nil { try? machine.unlink(temporary, in: folder) }
  }
}

extension Content {
  private static let reasonBit: UInt32 = 1 << 30

  /// The bytes of a reason file.
  static func reason(of number: UInt32) -> Content { Content(source: reasonBit | number, length: 8) }
  var isReason: Bool { source & Self.reasonBit != 0 }

  /// What stands for the SHA-256 of these bytes.
  var digest: String { String(UInt64(source) << 32 | UInt64(length), radix: 36) }
}
