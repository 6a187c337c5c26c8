import DropEngine
import DropSystem
import Glibc

/// A file system of a test's own in a file, mounted while the value lives. Needs root.
final class LoopMount: Sendable {
  enum Kind: String { case ext4, xfs, btrfs, tmpfs }

  /// For `.enabled(if:)`: nothing can be mounted otherwise.
  static var isPossible: Bool { geteuid() == 0 }

  let path: String
  private let scratch: Scratch

  init(_ kind: Kind, size: String = "400M") throws {
    scratch = try Scratch()
    path = scratch("mount")
    try Self.tool(["mkdir", path])
    if kind == .tmpfs {
      try Self.tool(["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
      return
    }
    let image = scratch("image")
    try Self.tool(["truncate", "-s", size, image])
    try Self.tool(["mkfs.\(kind.rawValue)", "-q", kind == .ext4 ? "-F" : "-f", image])
    try Self.tool(["mount", "-o", "loop", image, path])
  }

  deinit {
    run(["umount", path])
  }

  struct ToolFailed: Error { let command: [String], errors: String }

  private static func tool(_ command: [String]) throws {
    let answer = run(command)
    guard answer.status == .exited(0) else { throw ToolFailed(command: command, errors: answer.errors) }
  }
}
