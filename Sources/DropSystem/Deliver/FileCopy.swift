internal import CLinux
internal import DropEngine
internal import Glibc

/// Copies the content of a regular file into a new, empty one, and keeps holes.
///
/// `FileMetadata` copies the attributes. The caller must sync the target; this is quick, because writeback has started
/// already.
package enum FileCopy {
  /// Whether to compute a digest of the content.
  package enum DigestMode: Hashable, Sendable {
    case never
    /// Only if the bytes pass through this process anyway, so not for a clone.
    case ifPassing
    case always
  }

  package struct Result: Hashable, Sendable {
    /// The length of both files.
    package var bytes: Int64
    /// 64 lower-case hexadecimal digits.
    package var digest: String?
    /// Whether the files share their blocks.
    package var cloned: Bool

    package init(bytes: Int64, digest: String?, cloned: Bool) {
      self.bytes = bytes
      self.digest = digest
      self.cloned = cloned
    }
  }

  /// Why a copy failed, and on which side: an error of the source is the payload's fault, an error of the target is the
  /// fault of the place.
  package enum Failure: Error, Hashable, Sendable {
    case source(Errno)
    case target(Errno)
    /// The source had `size` bytes at the start of the copy, but not at the end.
    case changed(size: Int64)
    case cancelled
  }

  /// Whether a copy of `source` in `directory` would share its blocks, and so need no room. This is tested with an
  /// unnamed file.
  package static func sharesBlocks(of source: borrowing FileDescriptor, in directory: Directory) -> Bool {
    guard let trial = try? directory.openUnnamed(.readWrite) else { return false }
    return clinux_ficlone(trial.number, source.number) == 0
  }

  /// Copies all of `source` to `target`, which must be open for writing, and also for reading if `digest` is `always`.
  ///
  /// The positions of the descriptors do not matter; that of the target is unspecified afterwards. After an error, the
  /// target contains some of the bytes. A cancellation takes effect within a few megabytes.
  package static func copy(
    from source: borrowing FileDescriptor, to target: borrowing FileDescriptor, digest: DigestMode = .ifPassing,
    cancellation: Cancellation? = nil
  ) throws(Failure) -> Result {
    let size: Int64
    do { size = try fileSize(source.number) } catch { throw .source(error) }
    if cancellation?.isCancelled == true { throw .cancelled }
    // ioctl_ficlone(2). Whatever its error, a copy may still work, or fail with a more precise error.
    let cloned = clinux_ficlone(target.number, source.number) == 0
    var sum: String?
    if cloned {
      if digest == .always {
        // The digest is that of the copy, which no other program can change.
        do { sum = try Digest.sha256(of: target, cancellation: cancellation) } catch {
          throw error.number == ECANCELED ? .cancelled : .target(error)
        }
      }
    } else {
      var stream = CopyStream(
        source: source.number, target: target.number, size: size, cancellation: cancellation)
      sum = digest == .never ? nil : try stream.passBytes()
      if digest == .never { try stream.passInKernel() }
    }
    try verify(source.number, target.number, size)
    return Result(bytes: size, digest: sum, cloned: cloned)
  }

  /// Both must have the size that the source had at the start: a clone copies whatever is there when it is made.
  private static func verify(_ source: Int32, _ target: Int32, _ size: Int64) throws(Failure) {
    let (now, copied): (Int64, Int64)
    do { now = try fileSize(source) } catch { throw .source(error) }
    do { copied = try fileSize(target) } catch { throw .target(error) }
    guard now == size else { throw .changed(size: size) }
    guard copied == size else { throw .target(.io) }
  }

  private static func fileSize(_ file: Int32) throws(Errno) -> Int64 {
    var status = stat()
    try check { unsafe fstat(file, &status) }
    return Int64(status.st_size)
  }
}
