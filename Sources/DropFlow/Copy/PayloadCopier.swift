import DropEngine
import DropSystem

/// Makes the copy of one payload under its hidden name, on a thread that may wait.
struct PayloadCopier: Sendable {
  let context: FlowContext

  func copy(_ payload: ClaimedPayload) -> ClaimedPayload {
    var payload = payload
    guard case .copy(let name, to: let newName) = payload.delivery.step else { return payload }
    do throws(FileError) {
      let source: OpenFile
      do throws(FileError) {
        source = try open(name, payload)
      } catch {
        payload.receive(.failed(.init(held: payload.drop, error)))
        return payload
      }
      payload.file = name == .hold ? source : payload.file
      let directory = try PayloadFiles(context: context).directory(of: newName, payload)
      let status = try source.status()
      if let lack = context.reservations.reserve(status, of: source, for: payload.id, in: directory) {
        payload.receive(.failed(.init(.noRoom, lack)))
        return payload
      }
      let (copy, event) = try copy(source, status, to: directory, payload)
      payload.copy = copy
      payload.receive(event)
    } catch {
      var failure = Delivery.Failure(error)
      // Our own name is refused, or the directory is missing: that is the place's fault, not the payload's.
      if [.missing, .nameRefused, .nameTooLong].contains(failure.kind) { failure.kind = .other }
      if failure.kind == .noRoom {
        failure.message = "box full (needs \((payload.status?.bytesToCopy ?? payload.drop.size).formattedBytes))"
      }
      payload.receive(.failed(failure))
    }
    return payload
  }

  private func open(_ name: Delivery.Name, _ payload: ClaimedPayload) throws(FileError) -> OpenFile {
    if name == .hold {
      if let file = payload.file { return file }
      return try payload.drop.openHeld().file
    }
    let place = try PayloadFiles(context: context).place(of: name, payload)
    guard let opened = try place.directory.openRegular(named: place.name) else {
      throw FileError(.noEntry, .open, place.directory.path.appending(place.name))
    }
    return opened.file
  }

  private func copy(
    _ source: OpenFile, _ status: FileStatus, to directory: Directory, _ payload: ClaimedPayload
  ) throws(FileError) -> (OpenFile, Delivery.Event) {
    let name = RawPath(".dropzone-\(payload.id)")
    if directory.has(name) { try directory.unlink(name) }
    let target = try directory.open(name, [.create, .exclusive, .readWrite], mode: 0o600)
    let rules = context.settings.delivery
    let digest = try source.copyBytes(to: target, digest: rules.digest.wish(for: status), context.copies)
    let keeps = !payload.drop.isAccepted || payload.drop.delivered != nil
    let warnings = FileMetadata.copy(
      from: source.descriptor, to: target.descriptor, keeps ? .asItIs : rules, of: directory.descriptor)
    return (target, .copied(.init(status: try target.status(), sha256: digest, warnings: warnings)))
  }
}
