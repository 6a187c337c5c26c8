import DropEngine
import DropSystem

/// The names of a payload, as directories that are open and names in them.
///
/// What a batch has open already is used; the rest is opened by path. Below the root of a zone, a box or the rejects no
/// link is followed.
struct PayloadFiles: Sendable {
  let context: FlowContext

  /// A name and the directory that it is in.
  struct Place {
    let directory: Directory
    let name: RawPath

    func isPayload(_ drop: Drop) throws(FileError) -> Bool {
      try directory.status(of: name).identity.matches(inode: drop.inode, birth: drop.birth)
    }
  }

  func place(of name: Delivery.Name, _ payload: ClaimedPayload) throws(FileError) -> Place {
    let drop = payload.drop
    switch name {
    case .hold: return Place(directory: try hold(of: payload), name: RawPath(drop.entry))
    case .origin:
      let location = payload.delivery.returnLocation
      return Place(directory: try directory(of: .origin, payload), name: location.lastComponent)
    case .temporary, .halfCopy:
      return Place(directory: try directory(of: name, payload), name: RawPath(".dropzone-\(drop.id)"))
    case .destination:
      return Place(
        directory: try directory(of: name, payload), name: drop.destinationName ?? drop.location.lastComponent)
    case .reason:
      let destination = try place(of: .destination, payload)
      return Place(directory: destination.directory, name: ReasonFile.name(beside: destination.name))
    case .delivered, .oldReason:
      let source = drop.source ?? RawPath(drop.boxPath)
      return Place(directory: try Directory(source.parent), name: source.lastComponent)
    }
  }

  func directory(of name: Delivery.Name, _ payload: ClaimedPayload) throws(FileError) -> Directory {
    let drop = payload.drop
    switch name {
    case .hold: return try hold(of: payload)
    case .origin, .halfCopy:
      if drop.source != nil, drop.state != .returning, drop.state != .removing {
        let (directory, _) = drop.origin
        return try directory.open()
      }
      if let parent = payload.parent { return parent }
      return try Directory(drop.zonePath).directory(at: drop.location.parent)
    case .temporary, .destination, .reason:
      if let folder = payload.folder { return folder.directory }
      return try DirectoryBelow(RawPath(drop.destinationRoot ?? drop.boxPath), drop.destinationDirectory).open()
    case .delivered, .oldReason: return try Directory((drop.source ?? RawPath(drop.boxPath)).parent)
    }
  }

  private func hold(of payload: ClaimedPayload) throws(FileError) -> Directory {
    if let hold = payload.hold { return hold }
    return try Directory(payload.drop.holdPath, noFollow: true)
  }

  /// Opens the directory of the zone that a payload goes back to, and makes what was removed of it in the meantime.
  func makeOrigin(of drop: Drop) throws(FileError) -> Directory {
    let root = try Directory(drop.zonePath)
    do throws(FileError) {
      return try root.directory(at: drop.location.parent)
    } catch  where error.errno == .noEntry {
      let status = try root.status()
      var directory = root
      for part in drop.location.parent.components {
        do throws(FileError) {
          try directory.makeDirectory(part, mode: 0o700)
          try? directory.adopt(group: status.group, mode: status.mode & 0o2777, of: part)
        } catch  where error.errno == .exists {}
        directory = try directory.directory(named: part)
      }
      return directory
    }
  }
}

// MARK: - Steps on single names

extension PayloadFiles {
  /// Removes a name, if it is the payload's; one that is gone already counts as removed.
  func remove(_ name: Delivery.Name, of payload: ClaimedPayload) -> Delivery.Event {
    let drop = payload.drop
    do throws(FileError) {
      let place: Place
      do throws(FileError) {
        place = try self.place(of: name, payload)
      } catch  where Delivery.Failure(error).kind == .missing || error.errno == .crossDevice {
        // What lies in a hold that is not there is not gone. But a power cut may have taken the hold and left the payload in
        // the zone, where it goes next.
        if name == .hold, drop.state != .placed || !isInZone(drop) {
          return .failed(.init(.holdMissing, "\(error.errno)"))
        }
        if name == .delivered, drop.state == .removing { return .failed(.init(.other, "\(error.errno)")) }
        return .done
      }
      switch name {
      case .reason:
        ReasonFile.remove(
          of: drop.id, beside: drop.destinationName ?? drop.location.lastComponent, in: place.directory)
        try? place.directory.unlink(RawPath(".dropzone-\(drop.id).reason"))
      case .oldReason: ReasonFile.remove(of: drop.id, beside: place.name, in: place.directory)
      default: try remove(name, place, drop)
      }
      return .done
    } catch {
      return .failed(.init(error))
    }
  }

  private func remove(_ name: Delivery.Name, _ place: Place, _ drop: Drop) throws(FileError) {
    guard let found = try place.directory.statusIfPresent(of: place.name) else { return }
    // Temporary names are ours alone, and so is a snapshot whose row has no verdict: its inode may not be known yet.
    let isOurs =
      name == .temporary || name == .halfCopy || name == .hold && drop.original != nil && drop.state == .claiming
    guard isOurs || found.identity.matches(inode: drop.inode, birth: drop.birth) else { return }
    // A power cut may have left it in the zone, and its sender may have gone on with it there before the daemon started.
    if name == .origin, drop.state == .placed, found.size != drop.size || found.modified != drop.modified { return }
    do throws(FileError) {
      try place.directory.unlink(place.name)
    } catch  where error.errno == .noEntry {}
  }

  private func isInZone(_ drop: Drop) -> Bool {
    guard let directory = try? drop.origin.directory.open(),
      let status = try? directory.statusIfPresent(of: drop.origin.name)
    else { return false }
    return status.identity.matches(inode: drop.inode, birth: drop.birth)
  }

  func writeReason(of payload: ClaimedPayload) -> Delivery.Event {
    do throws(FileError) {
      let place = try place(of: .destination, payload)
      try ReasonFile.write(
        payload.delivery.record.receipt, for: payload.id, beside: place.name, in: place.directory,
        durable: context.isDurable)
      return .done
    } catch {
      return .failed(.init(error))
    }
  }

  /// Gives a payload another name; claims from a zone are renamed by the claim stage.
  func rename(
    _ name: Delivery.Name, to newName: Delivery.Name, replacing: Bool, _ payload: ClaimedPayload
  ) -> Delivery.Event {
    do throws(FileError) {
      let source = try place(of: name, payload)
      // Another delivery may have replaced it in the box since the undo was asked for.
      if name == .delivered, try !source.isPayload(payload.drop) { return .failed(.init(.changed, "it was replaced")) }
      let target: Place
      if newName == .origin {
        let location = payload.delivery.returnLocation
        target = Place(directory: try makeOrigin(of: payload.drop), name: location.lastComponent)
      } else {
        target = try place(of: newName, payload)
      }
      if newName == .hold {
        try source.directory.renameToOwn(source.name, to: target.name, in: target.directory)
        // What it is now is looked at when it is judged.
        return .renamed(nil)
      }
      if replacing {
        try source.directory.rename(source.name, to: target.name, in: target.directory, replacing: true)
      } else {
        try source.directory.renameReplacingNothing(source.name, to: target.name, in: target.directory)
      }
      // Only what goes back to the zone is looked at: a note keeps it from being taken again.
      let status = newName == .origin ? try? target.directory.status(of: target.name) : nil
      return .renamed(status)
    } catch {
      return .failed(failure(ofRenaming: name, to: newName, error, payload))
    }
  }

  private func failure(
    ofRenaming name: Delivery.Name, to newName: Delivery.Name, _ error: FileError, _ payload: ClaimedPayload
  ) -> Delivery.Failure {
    let drop = payload.drop
    var failure = Delivery.Failure(error)
    switch failure.kind {
    case .missing:
      // The directory that it was to go to may be what is missing.
      failure.kind = .other
      if name == .hold, !isInHold(drop) { failure.kind = drop.isHoldThere ? .missing : .holdMissing }
      if name == .origin { failure.kind = .missing }
    case .notPermitted where name == .hold && newName == .destination:
      if let held = try? drop.openHeld(), held.status.isImmutable { failure.kind = .immutable }
    case .nameTooLong: failure = payload.tooLongName(limit: payload.folder?.directory.nameLimit ?? 255)
    case .nameRefused: failure.message = "the box does not take this name: \(failure.message)"
    default: break
    }
    return failure
  }

  private func isInHold(_ drop: Drop) -> Bool {
    guard let hold = try? Directory(drop.holdPath, noFollow: true) else { return false }
    return hold.has(RawPath(drop.entry))
  }
}

extension ClaimedPayload {
  /// The failure of a name that is longer than the box takes.
  func tooLongName(limit: Int) -> Delivery.Failure {
    .init(.nameTooLong, "the name has \(ownName.bytes.count) bytes and the box takes \(limit)")
  }
}
