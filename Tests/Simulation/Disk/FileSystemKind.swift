/// The rules by which a file system keeps what it was told.
///
/// Each was measured on kernel 6.18, and `KernelComparisonTests` compares it with the kernel at hand.
package enum FileSystemKind: String, Hashable, Sendable, CaseIterable {
  /// One journal for all names: a power cut keeps a beginning of the changes, in their order, and a sync of one file or
  /// directory keeps everything up to its own last change. Numbers of removed files are used again.
  case ext4, xfs
  /// A power cut keeps a beginning of each file's changes by itself. A sync of a directory keeps the names it got; a file
  /// that was renamed into it may have its old name as well. Numbers are not used again.
  case btrfs

  var hasOneJournal: Bool { self != .btrfs }
  var reusesNumbers: Bool { self != .btrfs }
}
