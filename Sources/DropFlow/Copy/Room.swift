import DropEngine
import DropSystem

/// Room for copies: that of the disk, less what others have been promised.
struct Room {
  private let free: FreeRoom?
  /// Bytes of the free ones that others will still write.
  var promised: Int64

  init(at directory: Directory, promised: Int64 = 0) {
    free = directory.freeRoom
    self.promised = promised
  }

  /// What to say if a copy of `file`, which is as `status` has it, has no room in `directory`; nil if it fits.
  func lack(for status: FileStatus, of file: OpenFile, in directory: Directory) -> String? {
    guard let free else { return nil }
    if free.inodes < 1 { return "box full (no inode free)" }
    let (needed, left) = (status.bytesToCopy, max(0, free.bytes - promised))
    // Blocks that a copy shares are there already.
    if left >= needed || FileCopy.sharesBlocks(of: file.descriptor, in: directory) { return nil }
    return "box full (needs \(needed.formattedBytes), \(left.formattedBytes) free)"
  }
}

extension FileStatus {
  /// What a copy takes on a disk: blocks that are allocated, not length, since holes stay holes. A petabyte stands for
  /// everything that fits nowhere.
  var bytesToCopy: Int64 { min(allocated, size, 1 << 50) }
}

extension DeliveryRules.DigestRule {
  /// Holes above this are not bytes that are read anyway.
  private static let fewHoles: Int64 = 1 << 30

  /// Whether a copy computes a digest.
  func wish(for source: FileStatus) -> FileCopy.DigestMode {
    switch self {
    case .yes: .always
    case .no: .never
    case .auto: source.size - source.bytesToCopy > Self.fewHoles ? .never : .ifPassing
    }
  }

  /// Whether a digest is computed of a file that nothing else reads.
  func isWanted(ofBytes size: Int64) -> Bool {
    switch self {
    case .yes: true
    case .no: false
    case .auto: size <= Syncing.fewBytes
    }
  }
}

extension OpenFile {
  /// Copies all bytes to `target`; returns their digest, if one is wanted.
  func copyBytes(
    to target: OpenFile, digest: FileCopy.DigestMode, _ cancellation: Cancellation
  ) throws(FileError) -> String? {
    do throws(FileCopy.Failure) {
      return try FileCopy.copy(
        from: descriptor, to: target.descriptor, digest: digest, cancellation: cancellation
      ).digest
    } catch {
      switch error {
      case .source(let errno): throw FileError(errno, .read, path)
      case .target(let errno): throw FileError(errno, .write, target.path)
      case .changed, .cancelled: throw FileError(.again, .copy, path)
      }
    }
  }
}
