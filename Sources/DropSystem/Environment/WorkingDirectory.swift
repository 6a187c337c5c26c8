package import DropEngine
internal import CLinux
internal import Glibc

/// This process's working directory, and how relative paths are resolved against it.
package enum WorkingDirectory {
  /// Makes `path` absolute and removes `.` and repeated slashes. Links are not followed, so `..` stays.
  package static func absolute(_ path: RawPath) -> RawPath {
    let whole = path.bytes.first == .slash ? path : current.appending(path)
    let parts = whole.components.filter { $0 != "." }
    return RawPath(bytes: parts.isEmpty ? [.slash] : parts.flatMap { [.slash] + $0.bytes })
  }

  /// Resolves the links in the directories of `path`, but not its last component. Returns nil if the directory does not
  /// exist.
  package static func resolved(_ path: RawPath) -> RawPath? {
    let whole = absolute(path)
    let (parent, name) = (whole.parent, whole.lastComponent)
    guard name != ".." else { return real(whole) }
    return real(parent.isEmpty ? "/" : parent).map { $0.appending(name) }
  }

  private static func real(_ path: RawPath) -> RawPath? {
    unsafe path.withCString { path in
      guard let found = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(found) }
      return RawPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found))))
    }
  }

  private static var current: RawPath {
    guard let found = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(found) }
    return RawPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found))))
  }
}
