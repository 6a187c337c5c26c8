package import DropEngine

/// A directory for this user only, in a directory that everyone can write to.
package enum PrivateDirectory {
  /// Creates the directory, or checks that the existing one belongs to this user only.
  ///
  /// - Throws: `PrivateDirectoryError`. Another user's directory stays as it is.
  package static func prepare(_ path: RawPath) throws(PrivateDirectoryError) {
    let status: FileStatus
    do throws(FileError) {
      status = try make(path)
    } catch {
      throw .failed(error)
    }
    guard status.kind == .directory else { throw .noDirectory(path) }
    guard status.owner == effectiveUser() else { throw .notOurs(path, user: status.owner) }
    guard status.mode & 0o077 == 0 else { throw .open(path) }
  }

  private static func make(_ path: RawPath) throws(FileError) -> FileStatus {
    do throws(FileError) {
      try Directory.working.makeDirectory(path, mode: 0o700)
    } catch  where error.errno == .exists {}
    // A link is not followed, because another user may have created it.
    return try Directory.working.status(of: path)
  }
}

package enum PrivateDirectoryError: Error, Hashable, Sendable {
  case failed(FileError)
  case noDirectory(RawPath)
  case notOurs(RawPath, user: UInt32)
  case open(RawPath)
}

extension PrivateDirectoryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .failed(let error): error.description
    case .noDirectory(let path): "'\(path)' is not a directory"
    case .notOurs(let path, let user): "'\(path)' belongs to user \(user)"
    case .open(let path): "'\(path)' is accessible to other users; its mode must be 0700"
    }
  }
}
