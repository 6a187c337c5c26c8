import DropEngine
import DropSystem
import Glibc

/// Mounts a new file system from an image file while a closure runs. Needs root.
enum LoopMount {
  enum Kind: String { case ext4, xfs, btrfs, tmpfs }

  /// Whether file systems can be mounted; for `.enabled(if:)`.
  static var isPossible: Bool { geteuid() == 0 }

  /// Every descriptor that `body` opens below the path must be closed when it returns, or the file system stays mounted.
  /// This is a function because the compiler may destroy an object right after its last use.
  static func with(_ kind: Kind, size: String = "400M", _ body: (String) throws -> Void) throws {
    let scratch = try Scratch()
    try withExtendedLifetime(scratch) {
      let path = scratch("mount")
      try tool(["mkdir", path])
      if kind == .tmpfs {
        try tool(["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
      } else {
        let image = scratch("image")
        try tool(["truncate", "-s", size, image])
        try tool(["mkfs.\(kind.rawValue)", "-q", kind == .ext4 ? "-F" : "-f", image])
        try tool(["mount", "-o", "loop", image, path])
      }
      let outcome = Result { try body(path) }
      // Unmount lazily, because another test that starts a process has all descriptors open until execve(2).
      try tool(["umount", "--lazy", path])
      try outcome.get()
    }
  }

  struct ToolFailed: Error { let command: [String], errors: String }

  private static func tool(_ command: [String]) throws {
    let answer = run(command)
    guard answer.status == .exited(0) else { throw ToolFailed(command: command, errors: answer.errors) }
  }
}
