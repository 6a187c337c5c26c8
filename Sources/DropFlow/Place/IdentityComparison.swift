import DropEngine
import DropSystem

/// Looks for a payload's bytes among the files of the box that have its names; reading them may take long.
struct IdentityComparison: Sendable {
  let context: FlowContext

  /// One that cannot be read counts as another.
  func compare(_ payload: ClaimedPayload) -> Delivery.Event {
    guard case .compare(let first) = payload.delivery.step, let folder = payload.folder else {
      return .failed(.init(.other, "its directory is not open"))
    }
    do throws(FileError) {
      let file = if let open = payload.file { open } else { try payload.drop.openHeld().file }
      let own = if let digest = payload.drop.sha256 { digest } else { try file.sha256(context.copies) }
      var others = payload.delivery.compared
      var number = first
      let limit = folder.directory.nameLimit
      while true {
        let name = payload.name(number, limit: limit)
        guard let found = try? folder.directory.status(of: name) else {
          return .compared(identical: nil, sha256: own, others: others)
        }
        if payload.mayHaveBytes(of: found), !others.contains(found) {
          if let other = try? folder.directory.openRegular(named: name), other.status.isUnchanged(since: found),
            (try? other.file.sha256(context.copies)) == own
          {
            return try confirmed(payload, file, folder.location.appending(name), own, others)
          }
          others.insert(found)
        }
        number += 1
      }
    } catch {
      return .failed(.init(held: payload.drop, error))
    }
  }

  /// The payload must still be what was compared.
  private func confirmed(
    _ payload: ClaimedPayload, _ file: OpenFile, _ name: RawPath, _ digest: String, _ others: Set<FileStatus>
  ) throws(FileError) -> Delivery.Event {
    let now = try file.status()
    let isSame = now.size == payload.drop.size && now.modified == payload.drop.modified
    return .compared(identical: isSame ? name : nil, sha256: digest, others: others)
  }
}

extension OpenFile {
  /// The SHA-256 of all bytes, as 64 hexadecimal digits.
  func sha256(_ cancellation: Cancellation) throws(FileError) -> String {
    do throws(Errno) {
      return try Digest.sha256(of: descriptor, cancellation: cancellation)
    } catch {
      throw FileError(error, .read, path)
    }
  }
}
