internal import CLinux
internal import DropEngine
internal import Glibc

/// Copies a regular file into a new, empty one: bytes and holes, nothing else.
///
/// Attributes are `FileMetadata`'s, durability is the caller's: writing back has begun when this
/// returns, and fsync(2) of the target is short.
package enum FileCopy {
  /// Whether the digest of the bytes is wanted.
  package enum DigestWish: Hashable, Sendable {
    case never
    /// Only where the bytes pass through this process anyway: a clone gives none.
    case ifPassing
    case always
  }

  package struct Result: Hashable, Sendable {
    /// The length of both files.
    package var bytes: Int64
    /// 64 lower-case hexadecimal digits.
    package var digest: String?
    /// Whether the two share their blocks.
    package var cloned: Bool

    package init(bytes: Int64, digest: String?, cloned: Bool) {
      self.bytes = bytes
      self.digest = digest
      self.cloned = cloned
    }
  }

  /// Why there is no copy, by the side that said so: what happens on the source is the payload's,
  /// what happens on the target is the place's.
  package enum Failure: Error, Hashable, Sendable {
    case source(Errno)
    case target(Errno)
    /// The source had `size` bytes when the copy began and not when it ended.
    case changed(size: Int64)
    case cancelled
  }

  /// Whether a copy of `source` in `directory` would share its blocks, and so need no room: tried with a file that has
  /// no name.
  package static func sharesBlocks(of source: borrowing FileDescriptor, in directory: Int32) -> Bool {
    guard let trial = try? FileDescriptor.open(".", in: directory, [.unnamed, .readWrite]) else { return false }
    return clinux_ficlone(trial.number, source.number) == 0
  }

  /// Copies all of `source` to `target`, which must be open for writing, and for reading where `digest` is `always`.
  ///
  /// Positions of neither descriptor matter; the target's is unspecified afterwards. After a throw the target
  /// holds some of the bytes. A cancellation is seen within a few megabytes.
  package static func copy(
    from source: borrowing FileDescriptor, to target: borrowing FileDescriptor, digest: DigestWish = .ifPassing,
    cancellation: Cancellation? = nil
  ) throws(Failure) -> Result {
    let size: Int64
    do { size = try fileSize(source.number) } catch { throw .source(error) }
    if cancellation?.isCancelled == true { throw .cancelled }
    // ioctl_ficlone(2). Whatever it says no for, the bytes can still be copied, or say better what is wrong.
    let cloned = clinux_ficlone(target.number, source.number) == 0
    var sum: String?
    if cloned {
      if digest == .always {
        // Of the copy, which no one changes any more.
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

  /// Both must have the size that the source had at first: a clone takes what is there at its moment.
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
