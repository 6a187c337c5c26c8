import DropEngine

/// What the daemon finds out about payloads in the hold, and what their handler does with them there.
enum HeldSteps {
  /// Names that end so have a type that the zone does not take.
  static let refusedSuffix = Array(".exe".utf8)

  static func check(_ payload: inout Payload, _ machine: inout Machine, _ error: CallError?) -> Delivery.Event {
    do throws(CallError) {
      if let error { throw error }
      let file: FileReference
      if let open = payload.file { file = open } else { file = try PayloadNames.openHeld(payload.drop, machine) }
      payload.file = file
      let content = machine[file].content
      machine.witness.checked(content, of: payload.drop.id)
      return .checked(
        .init(
          status: payload.delivery.isJustClaimed ? nil : machine.status(of: file),
          typed: TypedContent(type: "application/pdf", claimedType: "application/pdf", grade: .proved),
          sha256: content.digest,
          typeMatches: !payload.drop.location.bytes.suffix(refusedSuffix.count).elementsEqual(refusedSuffix)))
    } catch {
      return .failed(PayloadNames.failure(held: payload.drop, error, machine))
    }
  }

  static func inspect(
    _ payload: Payload, wantsReturn: Bool, _ machine: Machine, _ error: CallError?
  ) -> Delivery.Event {
    do throws(CallError) {
      if let error { throw error }
      return .inspected(
        try held(payload.drop, machine), nameIsFree: wantsReturn && nameIsFree(payload.drop, machine))
    } catch {
      return .failed(PayloadNames.failure(held: payload.drop, error, machine))
    }
  }

  private static func held(_ drop: Drop, _ machine: Machine) throws(CallError) -> Delivery.Held {
    let folder = try machine.folder(at: drop.holdPath)
    guard let status = machine.status(of: machine.names.entry(drop.entry), in: folder) else {
      return leftInHold(of: drop, folder, machine)
    }
    let isSame =
      status.identity.inode == drop.inode && status.size == drop.size && status.modified == drop.modified
      && status.changed == drop.changed
    return isSame ? .same : .changed(status)
  }

  /// A handler may have renamed the payload: only what has left the hold is gone.
  private static func leftInHold(of drop: Drop, _ folder: Folder, _ machine: Machine) -> Delivery.Held {
    let id = Array(drop.id.description.utf8)
    var found: (entry: String, status: FileStatus)?
    for entry in machine.disks[folder.disk].list(folder.id) {
      let name = machine.names.text(of: entry.name)
      guard name.bytes.starts(with: id), let text = name.string else { continue }
      let status = machine.status(of: FileReference(disk: folder.disk, id: entry.file))
      if found == nil || status.identity.matches(inode: drop.inode, birth: drop.birth) { found = (text, status) }
    }
    guard let found else { return .gone }
    return .renamed(entry: found.entry, found.status, message: "the handler renamed it")
  }

  private static func nameIsFree(_ drop: Drop, _ machine: Machine) -> Bool {
    guard drop.source == nil, let zone = try? machine.folder(at: drop.zonePath),
      let parent = try? machine.folder(drop.location.parent, below: zone)
    else { return false }
    return machine.find(machine.names[drop.location.lastComponent], in: parent) == nil
  }

  /// A free name in the zone for an original that is in the hold.
  static func chooseReturnName(
    from first: Int, _ payload: Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    let drop = payload.drop
    do throws(CallError) {
      if let error { throw error }
      let hold = try machine.folder(at: drop.holdPath)
      guard let held = machine.status(of: machine.names.entry(drop.entry), in: hold),
        held.identity.matches(inode: drop.inode, birth: drop.birth)
      else { return .failed(.init(machine.isThere(drop.holdPath) ? .missing : .holdMissing)) }
      let parent = try PayloadNames.makeOrigin(of: drop, &machine)
      var number = first
      while machine.find(machine.names[payload.delivery.returnName(number).lastComponent], in: parent) != nil {
        number += 1
      }
      return .returnNameChosen(number)
    } catch {
      return .failed(.init(.other))
    }
  }
}

/// What a handler does with a payload, and what it answers.
package enum HandlerBehaviour: String, Hashable, Sendable, CaseIterable {
  case accept, acceptElsewhere, acceptCopy, reject, notYet, fail, refusePayload, blocked, wait
  case changeAndAccept, changeAndReject, takeAndAccept, takeAndReject, renameAndAccept

  /// Does what the handler does before it answers.
  func act(on payload: Payload, _ machine: inout Machine) -> HandlerOutcome {
    switch self {
    case .changeAndAccept, .changeAndReject: change(payload, &machine)
    case .takeAndAccept, .takeAndReject: take(payload, &machine)
    case .renameAndAccept: rename(payload, &machine)
    default: break
    }
    switch self {
    case .accept, .changeAndAccept, .takeAndAccept, .renameAndAccept: return .accepted(HandlerAnswer())
    case .acceptElsewhere: return .accepted(HandlerAnswer(destination: "else"))
    case .acceptCopy: return .accepted(HandlerAnswer(operation: .copy))
    case .reject, .changeAndReject, .takeAndReject: return .rejected("no")
    case .notYet: return .notYet(nil)
    case .fail: return .failed("died")
    case .refusePayload: return .payloadRefused("too long")
    case .blocked: return .blocked("not there")
    case .wait: return .wait("too many processes")
    }
  }

  private func change(_ payload: Payload, _ machine: inout Machine) {
    guard let file = try? PayloadNames.openHeld(payload.drop, machine) else { return }
    let content = machine.witness.handlerChanges(machine[file].content)
    machine.write(content, to: file)
  }

  private func take(_ payload: Payload, _ machine: inout Machine) {
    guard let file = try? PayloadNames.openHeld(payload.drop, machine),
      let folder = try? machine.folder(at: payload.drop.holdPath)
    else { return }
    let content = machine[file].content
    machine.witness.handlerTakes(payload.drop, content)
    try? machine.unlink(machine.names.entry(payload.drop.entry), in: folder)
  }

  private func rename(_ payload: Payload, _ machine: inout Machine) {
    guard let folder = try? machine.folder(at: payload.drop.holdPath) else { return }
    let name = machine.names.entry(payload.drop.entry)
    let other = machine.names[RawPath("\(payload.drop.id).new")]
    machine.witness.handlerRenames()
    try? machine.rename(name, in: folder, to: other, in: folder)
  }
}
