package import DropEngine

/// A system call that failed: which one, on what, and why.
package struct FileError: Error, Hashable, Sendable {
  package let errno: Errno
  package let call: Call
  /// The file or directory by the path it was reached by; it serves messages only, for it may have moved since.
  package let path: RawPath
  /// The new name of a rename or a link.
  package let target: RawPath?

  package init(_ errno: Errno, _ call: Call, _ path: RawPath, to target: RawPath? = nil) {
    self.errno = errno
    self.call = call
    self.path = path
    self.target = target
  }

  /// What was attempted.
  package enum Call: Hashable, Sendable {
    case open
    case create
    case createUnnamed
    case makeDirectory
    case read
    case write
    case list
    case stat
    case access
    case sync
    case copy
    case rename
    case link
    case unlink
    case removeDirectory
    case setGroup
    case setMode
    case setTimes
    case lock
  }
}

extension FileError: CustomStringConvertible {
  /// Such as `cannot rename '/srv/in/a.pdf' to '/srv/box/a.pdf': Permission denied`.
  package var description: String {
    let target = target.map { " to '\($0)'" } ?? ""
    return "cannot \(call.verb) '\(path)'\(target): \(errno)"
  }
}

extension FileError.Call {
  /// What follows "cannot" and comes before the path.
  fileprivate var verb: String {
    switch self {
    case .open: "open"
    case .create: "create"
    case .createUnnamed: "create a file in"
    case .makeDirectory: "create directory"
    case .read: "read"
    case .write: "write"
    case .list: "list"
    case .stat: "inspect"
    case .access: "write to"
    case .sync: "sync"
    case .copy: "copy"
    case .rename: "rename"
    case .link: "link"
    case .unlink: "remove"
    case .removeDirectory: "remove directory"
    case .setGroup: "set the group of"
    case .setMode: "set the mode of"
    case .setTimes: "set the times of"
    case .lock: "lock"
    }
  }
}

/// Runs a system call and gives its error the path, which is built only where the call fails.
func naming<Value: ~Copyable>(
  _ call: FileError.Call, _ path: @autoclosure () -> RawPath, to target: @autoclosure () -> RawPath? = nil,
  _ body: () throws(Errno) -> Value
) throws(FileError) -> Value {
  do throws(Errno) {
    return try body()
  } catch {
    throw FileError(error, call, path(), to: target())
  }
}
