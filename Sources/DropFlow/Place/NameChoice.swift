import DropEngine
import DropSystem

/// Chooses directory and name in the box or the rejects, by the zone's rule for names that are taken.
struct NameChoice {
  let context: FlowContext
  let root: OpenDestinations.Root

  func choose(
    _ payload: inout ClaimedPayload, _ destinations: inout OpenDestinations
  ) throws -> Delivery.Event {
    guard case .choose(let first) = payload.delivery.step else { return .failed(.init(.other)) }
    do throws(FileError) {
      if payload.drop.isAccepted, payload.ownName.bytes.count > root.nameLimit {
        return .failed(payload.tooLongName(limit: root.nameLimit))
      }
      let folder = try destinations.folder(self.folder(of: payload), in: root)
      payload.folder = folder
      return try choose(&payload, folder, from: first)
    } catch {
      return .failed(failure(error, payload))
    }
  }

  private func choose(
    _ payload: inout ClaimedPayload, _ folder: OpenDestinations.Folder, from first: Int
  ) throws(FileError) -> Delivery.Event {
    var number = first
    while true {
      if takesNextName(payload) {
        number = folder.freeNumber(for: payload, from: number, limit: root.nameLimit)
        return chosen(&payload, folder, number, replaces: false)
      }
      let name = payload.name(number, limit: root.nameLimit)
      if folder.isFree(name, for: payload.drop) { return chosen(&payload, folder, number, replaces: false) }
      switch context.settings.delivery.collision {
      case .rename: break
      case .replace:
        if try folder.directory.status(of: name).kind != .directory {
          return chosen(&payload, folder, number, replaces: true)
        }
      case .reject: return .duplicate
      case .keepIdentical:
        if payload.mayHaveBytes(of: try folder.directory.status(of: name)) { return .mayBeIdentical(number: number) }
      }
      number += 1
    }
  }

  /// The next free name for a copy that has been made.
  func chooseForCopy(_ payload: inout ClaimedPayload, from first: Int) -> Delivery.Event {
    guard let folder = payload.folder else { return .failed(.init(.other, "its directory is not open")) }
    let name = payload.name(first, limit: root.nameLimit)
    if payload.drop.isAccepted, context.settings.delivery.collision == .replace,
      let status = try? folder.directory.status(of: name), status.kind != .directory
    {
      return chosen(&payload, folder, first, replaces: true)
    }
    let number = folder.freeNumber(for: payload, from: first, limit: root.nameLimit)
    return chosen(&payload, folder, number, replaces: false)
  }

  /// Whether a name that is taken only means that the next one is tried.
  private func takesNextName(_ payload: ClaimedPayload) -> Bool {
    context.settings.delivery.collision == .rename || !payload.drop.isAccepted
  }

  /// The directory below the box or the rejects.
  private func folder(of payload: ClaimedPayload) -> RawPath {
    let wishes = payload.delivery.wishes
    if payload.drop.isAccepted, let wished = wishes.directory { return wished }
    let isFlat = context.settings.delivery.flatten || wishes.usesIDAsName
    return isFlat ? RawPath(bytes: []) : payload.drop.location.parent
  }

  private func chosen(
    _ payload: inout ClaimedPayload, _ folder: OpenDestinations.Folder, _ number: Int, replaces: Bool
  ) -> Delivery.Event {
    var destination = Delivery.Destination(
      root: root.path, directory: folder.location, name: payload.name(number, limit: root.nameLimit),
      number: number, replaces: replaces)
    destination.warnings = folder.warnings
    if payload.delivery.step.isChoosingForRename { applyMetadata(&payload, folder, &destination) }
    return .chosen(destination)
  }

  /// Sets owner, mode and group as the zone says, through the descriptor and before the name is in the box.
  ///
  /// A file with other names keeps what it has: those names belong to somebody.
  private func applyMetadata(
    _ payload: inout ClaimedPayload, _ folder: OpenDestinations.Folder, _ destination: inout Delivery.Destination
  ) {
    guard payload.delivery.isNear, payload.drop.isAccepted, let file = payload.file, let before = payload.status
    else { return }
    let warnings = FileMetadata.apply(
      context.settings.delivery, of: folder.status, to: file.descriptor, as: before)
    guard let warnings else { return }
    destination.ownWarnings = warnings
    if let after = try? file.status(), after.changed != before.changed {
      destination.changed = after.changed
      payload.status = after
    }
  }

  private func failure(_ error: FileError, _ payload: ClaimedPayload) -> Delivery.Failure {
    let failure = Delivery.Failure(error)
    switch failure.kind {
    case .nameTooLong where payload.drop.isAccepted: return payload.tooLongName(limit: root.nameLimit)
    case .nameTooLong, .nameRefused:
      return .init(failure.kind, "the box does not take this name: \(failure.message)")
    default: return .init(.other, "'\(Escaping.escape(root.path))': \(failure.message)")
    }
  }
}
