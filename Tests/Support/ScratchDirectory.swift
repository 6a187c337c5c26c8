internal import DropEngine
internal import DropSystem
internal import Glibc

/// A directory for one test, which is removed with everything in it when the test releases it.
package final class ScratchDirectory: Sendable {
  package let path: String

  /// Creates a directory in `parent` or in the directory for temporary files. Every user may enter it.
  package init(in parent: String? = nil) throws {
    let parent = parent ?? ProcessArguments.variable("TMPDIR")?.string ?? "/tmp"
    var template = Array((parent + "/dropzone-test-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno.last }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    _ = unsafe chmod(path, 0o755)
  }

  deinit {
    Self.remove(path)
  }

  /// Removes a tree without following links. There are no mounts in it: a test that mounts something unmounts it.
  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    for name in (try? names(in: path)) ?? [] { remove(path + "/" + name) }
    _ = unsafe rmdir(path)
  }

  package func appending(_ name: String) -> String { path + "/" + name }

  /// Creates a directory in it that every user may write to.
  package func directory(_ name: String) throws -> String {
    let path = appending(name)
    guard unsafe mkdir(path, 0o755) == 0 else { throw Errno.last }
    _ = unsafe chmod(path, 0o777)
    return path
  }

  /// Creates a file in it.
  @discardableResult
  package func file(_ name: String, _ content: [UInt8]) throws -> String {
    let path = appending(name)
    let file = try FileDescriptor.open(RawPath(path), [.writeOnly, .create, .truncate], mode: 0o644)
    try file.write(content)
    return path
  }

  /// The names in the directory at `path`, sorted.
  package static func names(in path: String) throws -> [String] {
    guard let directory = unsafe opendir(path) else { throw Errno.last }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The content of a file.
  package static func content(of path: String) throws -> [UInt8] {
    try FileDescriptor.open(RawPath(path), .readOnly).read(at: 0, count: 64 << 20)
  }
}
