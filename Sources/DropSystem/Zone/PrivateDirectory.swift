package import DropEngine

/// A directory in a place where everybody may write, that nobody else may use.
package enum PrivateDirectory {
  /// Makes the directory, or proves that the one that is there is ours alone.
  ///
  /// - Throws: `PrivateDirectoryError`; somebody else's directory of that name is left as it is.
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
    // A link of that name is not followed: it would lead where somebody else says.
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
    case .noDirectory(let path): "'\(path)' is no directory"
    case .notOurs(let path, let user): "'\(path)' belongs to user \(user)"
    case .open(let path): "'\(path)' is open to others; its mode must be 0700"
    }
  }
}
