internal import CLinux
package import DropEngine
internal import Glibc

/// A directory in a place where everybody may write, that nobody else may use.
package enum PrivateDirectory {
  /// Makes the directory, or proves that the one that is there is ours alone.
  ///
  /// - Throws: `PrivateDirectoryError`; somebody else's directory of that name is left as it is.
  package static func prepare(_ path: RawPath) throws(PrivateDirectoryError) {
    let made = unsafe path.withCString { path in unsafe mkdir(path, 0o700) }
    let failure = Errno.last
    guard made == 0 || failure == .exists else { throw .failed(path, failure) }
    var status = stat()
    // lstat(2): a link of that name would lead where somebody else says.
    guard unsafe path.withCString({ path in unsafe lstat(path, &status) }) == 0 else { throw .failed(path, .last) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .noDirectory(path) }
    guard status.st_uid == geteuid() else { throw .notOurs(path, user: status.st_uid) }
    guard status.st_mode & 0o077 == 0 else { throw .open(path) }
  }
}

package enum PrivateDirectoryError: Error, Hashable, Sendable {
  case failed(RawPath, Errno)
  case noDirectory(RawPath)
  case notOurs(RawPath, user: UInt32)
  case open(RawPath)
}

extension PrivateDirectoryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .failed(let path, let error): "'\(path)' cannot be made: \(error)"
    case .noDirectory(let path): "'\(path)' is no directory"
    case .notOurs(let path, let user): "'\(path)' belongs to user \(user)"
    case .open(let path): "'\(path)' is open to others; its mode must be 0700"
    }
  }
}
