internal import DropEngine
internal import DropSystem
internal import Glibc

/// A directory of a test's own, gone with everything in it when the test lets go.
package final class ScratchDirectory: Sendable {
  package let path: String

  /// In `parent`, or where temporary files go. Everybody may enter it.
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

  /// Follows no link. Nothing below is a mount: a test that mounts takes it down again itself.
  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    for name in (try? names(in: path)) ?? [] { remove(path + "/" + name) }
    _ = unsafe rmdir(path)
  }

  package func appending(_ name: String) -> String { path + "/" + name }

  /// Makes a directory in it that everybody may write to.
  package func directory(_ name: String) throws -> String {
    let path = appending(name)
    guard unsafe mkdir(path, 0o755) == 0 else { throw Errno.last }
    _ = unsafe chmod(path, 0o777)
    return path
  }

  /// Makes a file in it.
  @discardableResult
  package func file(_ name: String, _ content: [UInt8]) throws -> String {
    let path = appending(name)
    let file = try FileDescriptor.open(RawPath(path), [.writeOnly, .create, .truncate], mode: 0o644)
    try file.write(content)
    return path
  }

  /// What the directory at `path` holds, sorted.
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

  /// All of a file.
  package static func content(of path: String) throws -> [UInt8] {
    try FileDescriptor.open(RawPath(path), .readOnly).read(at: 0, count: 64 << 20)
  }
}
