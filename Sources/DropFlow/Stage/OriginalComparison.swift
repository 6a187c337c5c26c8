import DropEngine
import DropSystem

/// Finds out whether an original has the bytes that were copied.
struct OriginalComparison: Sendable {
  /// The zone's root.
  let root: String
  let original: CopiedOriginal
  let ledger: Ledger

  enum Result: Sendable {
    case same(FileStatus, digest: String?)
    case different
    case unknown
  }

  func run() -> Result {
    do {
      guard let (file, status) = try Directory(root).openRegular(at: original.location),
        original.holds(for: status) != false
      else { return .unknown }
      // If the copy went away and was never digested, its size and the time of writing say that its rights have changed.
      guard let digest = original.sha256 ?? digestOfCopy() else { return .same(status, digest: nil) }
      return try Digest.sha256(of: file.descriptor) == digest ? .same(status, digest: digest) : .different
    } catch {
      return .unknown
    }
  }

  /// The digest of the copy: where its receipt says that it is, or before that in the hold or on its way.
  private func digestOfCopy() -> String? {
    if let record = try? ledger.outcome(of: original.id) {
      return record.place.flatMap { digest(of: $0) { $0.matches(inode: record.inode, birth: record.birth) } }
    }
    guard let row = try? ledger.drop(original.id) else { return nil }
    // The snapshot has another inode than its row says until it has a verdict.
    return digest(of: RawPath(row.holdPath).appending(RawPath(row.entry))) { _ in true }
      ?? row.place.flatMap { digest(of: $0) { $0.matches(inode: row.inode, birth: row.birth) } }
  }

  private func digest(of path: RawPath, where isCopy: (FileIdentity) -> Bool) -> String? {
    guard let (file, status) = try? Directory(path.parent).openRegular(named: path.lastComponent),
      isCopy(status.identity), status.size == original.size
    else { return nil }
    return try? Digest.sha256(of: file.descriptor)
  }
}
