import DropEngine

/// Copies, as the daemon makes them.
enum CopySteps {
  static func copy(
    _ name: Delivery.Name, to newName: Delivery.Name, _ payload: inout Payload, _ machine: inout Machine,
    _ error: CallError?
  ) -> Delivery.Event {
    if newName == .hold { return snapshot(&payload, &machine, error) }
    let source: FileReference
    do throws(CallError) {
      source = try open(name, payload, machine)
    } catch {
      return .failed(PayloadNames.failure(held: payload.drop, error, machine))
    }
    if name == .hold { payload.file = source }
    do throws(CallError) {
      let place = try PayloadNames.place(of: newName, payload.delivery, machine)
      let made = try copy(source, to: place, &machine, error)
      payload.copy = made
      let digest = machine[source].content.digest
      return .copied(.init(status: machine.status(of: made), sha256: digest))
    } catch {
      var failure = Delivery.Failure(error)
      // Our own name is refused, or the directory is missing: that is the place's fault, not the payload's.
      if [.missing, .nameRefused, .nameTooLong].contains(failure.kind) { failure.kind = .other }
      return .failed(failure)
    }
  }

  /// Copies a payload of the zone into the hold; the original stays.
  private static func snapshot(
    _ payload: inout Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    guard let file = payload.file, let status = payload.released else { return .failed(.init(.changed)) }
    do throws(CallError) {
      let place = try PayloadNames.place(of: .hold, payload.delivery, machine)
      let made = try copy(file, to: place, &machine, error)
      let isOpen = machine[file].writers > 0
      if machine.lateOpeners.contains(file) { People.openLate(file, &machine) }
      guard machine.status(of: file).isUnchanged(since: status), !(machine.setup.usesLease && isOpen) else {
        return .failed(.init(.changed))
      }
      payload.file = made
      payload.released = nil
      return .copied(.init(status: machine.status(of: made), sha256: machine[made].content.digest))
    } catch {
      return .failed(.init(error))
    }
  }

  /// One that fails leaves half of the bytes.
  private static func copy(
    _ source: FileReference, to place: NamedPlace, _ machine: inout Machine, _ error: CallError?
  ) throws(CallError) -> FileReference {
    let content = machine[source].content
    if machine.find(place.name, in: place.folder) != nil { try machine.unlink(place.name, in: place.folder) }
    if let error, error != .noSpace { throw error }
    let made = try machine.create(place.name, in: place.folder)
    guard error == nil else {
      machine.write(Content(source: content.source, length: content.length / 2), to: made)
      throw .noSpace
    }
    machine.write(content, to: made)
    let time = machine.stamp()
    machine.disks[made.disk].setModified(machine[source].modified, of: made.id, at: time)
    return made
  }

  private static func open(_ name: Delivery.Name, _ payload: Payload, _ machine: Machine) throws(CallError)
    -> FileReference
  {
    if name == .hold {
      if let file = payload.file { return file }
      return try PayloadNames.openHeld(payload.drop, machine)
    }
    let place = try PayloadNames.place(of: name, payload.delivery, machine)
    guard let file = machine.find(place.name, in: place.folder) else { throw .noEntry }
    return file
  }
}
