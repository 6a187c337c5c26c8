package import DropEngine
internal import CLinux
internal import Glibc

/// Where this process is, and what paths mean from there.
package enum WorkingDirectory {
  /// `path` from the root on, without `.` and doubled slashes. Links are not looked at, so `..` stays.
  package static func absolute(_ path: RawPath) -> RawPath {
    let whole = path.bytes.first == .slash ? path : current.appending(path)
    let parts = whole.components.filter { $0 != "." }
    return RawPath(bytes: parts.isEmpty ? [.slash] : parts.flatMap { [.slash] + $0.bytes })
  }

  /// `path` with the links in its directories followed: what its last part is stays open. Nil where there is no such
  /// directory.
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
