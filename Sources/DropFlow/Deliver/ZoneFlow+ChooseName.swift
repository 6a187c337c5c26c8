import DropEngine
import DropSystem

/// Directory and name in the box or the rejects, by the zone's rule where the name is taken.
extension ZoneFlow {
  /// Chooses directory and name; turns what the box cannot take into a reject.
  func choose(
    _ payload: ClaimedPayload, _ look: FinalInspection, _ root: OpenDestinations.Root,
    _ destinations: inout OpenDestinations, from first: Int
  ) throws(PlaceError) -> Placement? {
    do throws(Errno) {
      if payload.drop.isAccepted, payload.ownName.bytes.count > root.nameLimit { throw .nameTooLong }
      let folder = try destinations.folder(folder(of: payload), in: root)
      var number = first
      while true {
        if takesNextName(payload) { number = folder.freeNumber(for: payload, from: number, limit: root.nameLimit) }
        let name = payload.name(number, limit: root.nameLimit)
        let isTaken = !takesNextName(payload) && !folder.isFree(name, for: payload.drop)
        switch isTaken ? try collide(payload, name, number, folder, root) : .replace {
        case .settled: return nil
        case .next: number += 1
        case .replace:
          return Placement(
            payload, look, root, folder, hold: try destinations.hold(payload.drop.holdPath), name: name, number: number,
            replaces: isTaken)
        }
      }
    } catch {
      guard error.isAboutName, !payload.takesID else {
        throw PlaceError(message: "'\(Escaping.escape(root.path))': \(error)")
      }
      refuseName(payload, root.path, root.nameLimit, error)
      return nil
    }
  }

  /// Whether a name that is taken only says that the next one is tried.
  private func takesNextName(_ payload: ClaimedPayload) -> Bool {
    settings.delivery.collision == .rename || !payload.drop.isAccepted
  }

  /// The directory below the box or the rejects.
  private func folder(of payload: ClaimedPayload) -> RawPath {
    if payload.drop.isAccepted, let wished = payload.wishedDirectory { return wished }
    return settings.delivery.flatten || payload.takesID ? RawPath(bytes: []) : payload.drop.location.parent
  }

  private enum Collision { case replace, next, settled }

  /// What the zone's rule says of a name that is taken in the box.
  private func collide(
    _ payload: ClaimedPayload, _ name: RawPath, _ number: Int, _ folder: OpenDestinations.Folder,
    _ root: OpenDestinations.Root
  ) throws(Errno) -> Collision {
    switch settings.delivery.collision {
    case .rename: return .next
    case .replace:
      return try FileStatus.read(at: name, in: folder.file.number).kind == .directory ? .next : .replace
    case .reject:
      var payload = payload
      payload.drop.verdict = .rejected(.duplicate, message: "the box has a file of this name")
      place(payload)
      return .settled
    case .keepIdentical:
      let status = try FileStatus.read(at: name, in: folder.file.number)
      guard payload.mayHaveBytes(of: status) else { return .next }
      let payload = payload
      start { await $0.compare(payload, from: number, in: folder, limit: root.nameLimit) }
      return .settled
    }
  }

  /// Looks for the payload's bytes among the files that have its names; reading them may take long.
  private func compare(_ payload: ClaimedPayload, from number: Int, in folder: OpenDestinations.Folder, limit: Int)
    async
  {
    var payload = payload
    payload.drop.state = .claiming
    let compared = payload
    let (looked, found) = await offActor {
      self.compared(compared, from: number, in: folder, limit: limit)
    }
    if isStopping { return }
    do throws(Errno) {
      if let name = try found.get(), try inspect(atHeld: looked.drop) == .same {
        return await dropIdentical(looked, at: folder.location.appending(name))
      }
      place(looked)
    } catch {
      await waitInHand(looked, PayloadTrouble(reading: looked.drop, error)) { await $0.place($1) }
    }
  }

  /// The payload with its digest and the files that have other bytes, and the name of the one that has its own. One that
  /// cannot be read counts as another.
  private nonisolated func compared(
    _ payload: ClaimedPayload, from number: Int, in folder: OpenDestinations.Folder, limit: Int
  ) -> (ClaimedPayload, Result<RawPath?, Errno>) {
    var payload = payload
    do throws(Errno) {
      let file = if let open = payload.file { open } else { try openHeld(payload.drop) }
      let own =
        if let digest = payload.drop.sha256 { digest } else {
          try Digest.sha256(of: file.descriptor, cancellation: cancellation)
        }
      payload.drop.sha256 = own
      var number = number
      while true {
        let name = payload.name(number, limit: limit)
        guard let path = try? FileDescriptor.open(name, in: folder.file.number, [.pathOnly, .noFollow]),
          let status = try? FileStatus.read(at: path.number)
        else { return (payload, .success(nil)) }
        if payload.mayHaveBytes(of: status) {
          if let other = try? path.reopened([.readOnly, .nonBlocking]),
            try Digest.sha256(of: other, cancellation: cancellation) == own
          {
            return (payload, .success(name))
          }
          payload.others.insert(status)
        }
        number += 1
      }
    } catch {
      return (payload, .failure(error))
    }
  }

  /// The box has these very bytes under this name already: that is where the payload is, and the held one goes.
  private func dropIdentical(_ payload: ClaimedPayload, at location: RawPath) async {
    let place = RawPath(payload.drop.boxPath).appending(location)
    let record = ReceiptRecord(
      payload.drop, outcome: .delivered, code: nil, message: "the box had an identical file", place: place,
      finished: wallNow())
    await finishCopied(payload.drop, record)
  }

  /// What the box's file system refuses by its name is the payload's fault. Where the rejects take no such name either it
  /// gets its id, a name that every file system takes.
  func refuseName(_ payload: ClaimedPayload, _ root: String, _ limit: Int, _ error: Errno) {
    var payload = payload
    payload.drop.state = .claiming
    guard payload.drop.isAccepted else {
      if payload.takesID { return gate(payload, at: root, "'\(Escaping.escape(root))': \(error)") }
      payload.takesID = true
      return place(payload)
    }
    let why =
      error == .nameTooLong
      ? "the name has \(payload.ownName.bytes.count) bytes and the box takes \(limit)"
      : "the box does not take this name: \(error)"
    payload.drop.verdict = .rejected(.boxName, message: why)
    place(payload)
  }
}
