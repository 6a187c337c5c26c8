package import DropEngine
internal import DropSystem
internal import Glibc
internal import Synchronization

/// A directory of a test's own, gone when the test is.
package final class Scratch: Sendable {
  package let path: RawPath
  private let counter = Mutex(0)
  private let removed = Mutex(false)

  /// Makes a directory under `parent`, with a name short enough for a socket to lie in it.
  package init(in parent: RawPath = Scratch.parent) throws {
    for _ in 0..<100 {
      let candidate = parent.appending(RawPath("dz.\(UInt32.random(in: 0...UInt32.max))"))
      if unsafe candidate.withCString({ unsafe mkdir($0, 0o755) }) == 0 {
        path = candidate
        return
      }
    }
    throw Command.Failure(description: "cannot make a directory in \(parent)")
  }

  /// Where scratch directories lie: TMPDIR, else /tmp.
  package static var parent: RawPath { RawPath(Environment["TMPDIR"] ?? "/tmp") }

  /// A directory on another file system than the scratch directory's.
  package static func elsewhere() throws -> Scratch { try Scratch(in: "/dev/shm") }

  /// A path below the directory at which nothing lies yet.
  package func freshPath(_ stem: String) -> RawPath {
    let number = counter.withLock { counter in
      counter += 1
      return counter
    }
    return path.appending(RawPath("\(stem).\(number)"))
  }

  /// The path as a String; scratch names are ours.
  package var string: String { path.string ?? path.description }

  /// Removes it with everything in it; what somebody made unreadable too. DZ_KEEP keeps it.
  package func remove() async {
    guard Environment["DZ_KEEP"] == nil, removed.withLock({ $0.flip() }) else { return }
    let script = "chmod -R u+rwX \"$1\" 2>/dev/null; rm -rf --one-file-system \"$1\""
    if let command = try? Command(["/bin/bash", "-c", script, "remove", string]) { _ = await command.exit() }
  }

  /// Gives `body` a directory and removes it afterwards.
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
  /// Turns false into true and says whether it did.
  fileprivate mutating func flip() -> Bool {
    defer { self = true }
    return !self
  }
}

extension RawPath {
  /// All bytes of the file there.
  package func contents() throws -> [UInt8] {
    let file = try FileDescriptor.open(self, .readOnly)
    var bytes: [UInt8] = []
    while true {
      let chunk = try file.read(at: Int64(bytes.count), count: 1 << 20)
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// Its lines as text; none where there is no such file.
  package func lines() -> [String] {
    guard let bytes = try? contents() else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Makes the file hold `text`.
  package func write(_ text: String, mode: UInt32 = 0o644) throws {
    let file = try FileDescriptor.open(self, [.writeOnly, .create, .truncate], mode: mode)
    try file.write(Array(text.utf8))
  }

  package func rename(to path: RawPath) throws {
    try Directory.working.rename(self, to: path, in: .working)
  }

  package func makeDirectory() throws {
    guard unsafe withCString({ unsafe mkdir($0, 0o755) }) == 0 || errno == EEXIST else {
      throw Command.Failure(description: "cannot make \(self)")
    }
  }

  package var exists: Bool { unsafe withCString { unsafe access($0, F_OK) } == 0 }
}
