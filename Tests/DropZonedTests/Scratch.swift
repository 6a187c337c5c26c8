import DropEngine
import DropSystem
import Glibc
import Synchronization

/// A directory of one test's own, gone when the test is over.
final class Scratch: Sendable {
  let path: String
  private static let count = Atomic(0)

  init() throws {
    let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    path = (Surroundings.current().variables["TMPDIR"] ?? "/tmp") + "/dropzoned-tests-\(getpid())-\(number)"
    try PrivateDirectory.prepare(RawPath(path))
  }

  deinit {
    Self.remove(RawPath(path))
  }

  /// Makes a directory and those above it.
  func directory(_ name: String) throws {
    var made = path
    for part in name.split(separator: "/") {
      made += "/" + part
      try PrivateDirectory.prepare(RawPath(made))
    }
  }

  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try directory(String(name[..<slash])) }
    try FileDescriptor.open(RawPath(path + "/" + name), [.writeOnly, .create, .truncate]).write(bytes)
  }

  func link(_ name: String, to target: String) {
    _ = unsafe symlink(target, path + "/" + name)
  }

  private static func remove(_ path: RawPath) {
    guard unsafe path.withCString({ path in unsafe unlink(path) }) != 0 else { return }
    for name in (try? ConfigurationFiles.names(in: path)) ?? [] { remove(path.appending(name)) }
    _ = unsafe path.withCString { path in unsafe rmdir(path) }
  }
}
