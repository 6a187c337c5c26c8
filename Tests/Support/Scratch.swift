package import DropEngine
internal import DropSystem
internal import Glibc
internal import Synchronization

/// A directory for one test, which is removed after the test.
package final class Scratch: Sendable {
  package let path: RawPath
  private let counter = Mutex(0)
  private let removed = Mutex(false)

  /// Creates a directory in `parent`, with a name that is short enough for a socket inside it.
  package init(in parent: RawPath = Scratch.parent) throws {
    for _ in 0..<100 {
      let candidate = parent.appending(RawPath("dz.\(UInt32.random(in: 0...UInt32.max))"))
      if unsafe candidate.withCString({ unsafe mkdir($0, 0o755) }) == 0 {
        path = candidate
        return
      }
    }
    throw Command.Failure(description: "cannot create a directory in \(parent)")
  }

  /// The parent of scratch directories: TMPDIR, or else /tmp.
  package static var parent: RawPath { RawPath(Environment["TMPDIR"] ?? "/tmp") }

  /// A directory on a different file system.
  package static func elsewhere() throws -> Scratch { try Scratch(in: "/dev/shm") }

  /// A path in the directory that does not exist yet.
  package func freshPath(_ stem: String) -> RawPath {
    let number = counter.withLock { counter in
      counter += 1
      return counter
    }
    return path.appending(RawPath("\(stem).\(number)"))
  }

  /// The path as a String, which is always valid text.
  package var string: String { path.string ?? path.description }

  /// Removes it with everything in it, even if it was made unreadable. With DZ_KEEP, keeps it.
  package func remove() async {
    guard Environment["DZ_KEEP"] == nil, removed.withLock({ $0.flip() }) else { return }
    let script = "chmod -R u+rwX \"$1\" 2>/dev/null; rm -rf --one-file-system \"$1\""
    if let command = try? Command(["/bin/bash", "-c", script, "remove", string]) { _ = await command.exit() }
  }

  /// Calls `body` with a new directory, and removes it afterwards.
  package static func with<Result>(
    in parent: RawPath = Scratch.parent, _ body: (Scratch) async throws -> Result
  ) async throws -> Result {
    let scratch = try Scratch(in: parent)
    do {
      let result = try await body(scratch)
      await scratch.remove()
      return result
    } catch {
      await scratch.remove()
      throw error
    }
  }
}

extension Bool {
  /// Sets it to true, and returns whether it was false.
  fileprivate mutating func flip() -> Bool {
    defer { self = true }
    return !self
  }
}

extension RawPath {
  /// The content of the file.
  package func contents() throws -> [UInt8] {
    let file = try FileDescriptor.open(self, .readOnly)
    var bytes: [UInt8] = []
    while true {
      let chunk = try file.read(at: Int64(bytes.count), count: 1 << 20)
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// The lines of the file; empty if there is no such file.
  package func lines() -> [String] {
    guard let bytes = try? contents() else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces the content of the file with `text`.
  package func write(_ text: String, mode: UInt32 = 0o644) throws {
    let file = try FileDescriptor.open(self, [.writeOnly, .create, .truncate], mode: mode)
    try file.write(Array(text.utf8))
  }

  package func rename(to path: RawPath) throws {
    try Directory.working.rename(self, to: path, in: .working)
  }

  package func makeDirectory() throws {
    guard unsafe withCString({ unsafe mkdir($0, 0o755) }) == 0 || errno == EEXIST else {
      throw Command.Failure(description: "cannot create \(self)")
    }
  }

  package var exists: Bool { unsafe withCString { unsafe access($0, F_OK) } == 0 }
}
