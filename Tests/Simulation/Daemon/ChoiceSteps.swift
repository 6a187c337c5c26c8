import DropEngine

/// The last inspection before a payload gets its name, and the choice of that name.
enum ChoiceSteps {
  static func choose(
    from first: Int, _ payload: inout Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    let root: Folder
    do throws(CallError) {
      root = try machine.folder(at: payload.delivery.rootPath)
    } catch {
      return .failed(.init(.other))
    }
    do throws(CallError) {
      if let event = try inspect(&payload, machine) { return event }
    } catch {
      return .failed(PayloadNames.failure(held: payload.drop, error, machine))
    }
    do throws(CallError) {
      if let error { throw error }
      let wishes = payload.delivery.wishes
      var location = wishes.usesIDAsName ? RawPath(bytes: []) : payload.drop.location.parent
      if payload.drop.isAccepted, let wished = wishes.directory { location = wished }
      let folder = try PayloadNames.makeFolder(location, below: root, syncing: machine.setup.isDurable, &machine)
      return try choose(from: first, &payload, folder, location, &machine)
    } catch {
      let failure = Delivery.Failure(error)
      return .failed(.init([.nameTooLong, .nameRefused].contains(failure.kind) ? failure.kind : .other))
    }
  }

  /// Nil if the payload is as it was judged.
  private static func inspect(_ payload: inout Payload, _ machine: Machine) throws(CallError) -> Delivery.Event? {
    let drop = payload.drop
    let file: FileReference
    if let open = payload.file { file = open } else { file = try PayloadNames.openHeld(drop, machine) }
    payload.file = file
    // A verdict that an earlier process committed stands.
    guard drop.isAccepted, drop.state == .claiming else { return nil }
    let held = machine.status(of: try PayloadNames.openHeld(drop, machine))
    if machine.setup.usesLease, machine[file].writers > 0 { return .hasWriter }
    guard held.identity.matches(inode: drop.inode, birth: drop.birth) else {
      return .changedSinceJudged(held, "replaced during judgement")
    }
    let isSame =
      held.size == drop.size && held.modified == drop.modified
      && (held.changed == drop.changed || held.links != drop.links)
    return isSame ? nil : .changedSinceJudged(held, "changed during judgement")
  }

  private static func choose(
    from first: Int, _ payload: inout Payload, _ folder: Folder, _ location: RawPath, _ machine: inout Machine
  ) throws(CallError) -> Delivery.Event {
    var number = first
    let takesNext = machine.setup.collision == .rename || !payload.drop.isAccepted
    while true {
      let text = name(of: payload, number)
      let name = machine.names[text]
      var replaces = false
      if !isFree(name, in: folder, for: payload.drop, machine) {
        if takesNext {
          number += 1
          continue
        }
        let found = machine.status(of: name, in: folder)
        switch machine.setup.collision {
        case .reject: return .duplicate
        case .replace where found?.kind == .regular: replaces = true
        case .keepIdentical where found.map { mayHaveBytes(of: $0, payload) } ?? false:
          return .mayBeIdentical(number: number)
        default:
          number += 1
          continue
        }
      }
      var destination = Delivery.Destination(
        root: payload.delivery.rootPath, directory: location, name: text, number: number, replaces: replaces)
      setMetadata(&payload, &destination, &machine)
      return .chosen(destination)
    }
  }

  private static func setMetadata(
    _ payload: inout Payload, _ destination: inout Delivery.Destination, _ machine: inout Machine
  ) {
    guard machine.setup.setsMode, payload.delivery.isNear, payload.drop.isAccepted, let file = payload.file else {
      return
    }
    let time = machine.stamp()
    machine.disks[file.disk].changeAttributes(of: file.id, at: time)
    destination.changed = machine[file].changed
  }

  /// The next free name for a copy that has been made.
  static func chooseForCopy(
    from first: Int, _ payload: inout Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    do throws(CallError) {
      if let error { throw error }
      let drop = payload.drop
      let path = drop.destinationRoot ?? payload.delivery.rootPath
      let folder = try PayloadNames.makeFolder(
        drop.destinationDirectory, below: try machine.folder(at: path), syncing: machine.setup.isDurable, &machine)
      var number = first
      var replaces = drop.isAccepted && machine.setup.collision == .replace
      if replaces {
        replaces = machine.find(machine.names[name(of: payload, first)], in: folder) != nil
      }
      while !replaces, !isFree(machine.names[name(of: payload, number)], in: folder, for: drop, machine) { number += 1 }
      return .chosen(
        .init(
          root: path, directory: drop.destinationDirectory, name: name(of: payload, number), number: number,
          replaces: replaces))
    } catch {
      let failure = Delivery.Failure(error)
      return .failed(.init([.nameTooLong, .nameRefused].contains(failure.kind) ? failure.kind : .other))
    }
  }

  static func compare(
    from first: Int, _ payload: inout Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    do throws(CallError) {
      if let error { throw error }
      let file = try PayloadNames.openHeld(payload.drop, machine)
      let own = payload.drop.sha256 ?? machine[file].content.digest
      var others = payload.delivery.compared
      let location = payload.drop.location.parent
      let folder = try machine.folder(location, below: try machine.folder(at: payload.drop.boxPath))
      var number = first
      while true {
        let text = name(of: payload, number)
        guard let other = machine.find(machine.names[text], in: folder) else {
          return .compared(identical: nil, sha256: own, others: others)
        }
        let status = machine.status(of: other)
        if mayHaveBytes(of: status, payload), !others.contains(status) {
          let now = machine.status(of: file)
          if machine[other].content.digest == own {
            let isSame = now.size == payload.drop.size && now.modified == payload.drop.modified
            return .compared(
              identical: isSame ? location.appending(text) : nil, sha256: own, others: others)
          }
          others.insert(status)
        }
        number += 1
      }
    } catch {
      return .failed(PayloadNames.failure(held: payload.drop, error, machine))
    }
  }

  private static func name(of payload: Payload, _ number: Int) -> RawPath {
    let (wishes, drop) = (payload.delivery.wishes, payload.drop)
    let own: RawPath
    if wishes.usesIDAsName {
      own = RawPath(drop.entry)
    } else {
      own = drop.isAccepted ? wishes.name ?? drop.location.lastComponent : drop.location.lastComponent
    }
    return number == 0 ? own : FreeName.candidate(own, number: number)
  }

  private static func isFree(_ name: Name, in folder: Folder, for drop: Drop, _ machine: Machine) -> Bool {
    guard machine.find(name, in: folder) == nil else { return false }
    if drop.isAccepted { return true }
    let reason = machine.names.reason(beside: name)
    return machine.find(reason, in: folder) == nil || NameSteps.isOwnReason(reason, drop.id, in: folder, machine)
  }

  private static func mayHaveBytes(of status: FileStatus, _ payload: Payload) -> Bool {
    status.kind == .regular && status.size == payload.drop.size && !payload.delivery.compared.contains(status)
  }
}
