internal import CLinux
internal import Glibc

/// A copy in progress, and its position. It copies the segments between the holes of the source.
struct CopyStream: ~Copyable {
  /// The number of bytes per call: enough that calls cost little, and few enough to stay in the processor's cache.
  private static let chunk = 1 << 18
  /// The size from which a separate thread computes the digest.
  private static let parallelSize = 8 << 20
  /// How much is written before writeback to the disk starts.
  private static let stride = 8 << 20
  /// The number of bytes per copy_file_range(2), which limits the delay of a cancellation.
  private static let kernelChunk = 16 << 20

  private let source: Int32
  private let target: Int32
  private let size: Int
  private let cancellation: Cancellation?
  private var offset = 0
  /// The end of the range for which writeback has started.
  private var pushed = 0

  init(source: Int32, target: Int32, size: Int64, cancellation: Cancellation?) {
    self.source = source
    self.target = target
    self.size = Int(size)
    self.cancellation = cancellation
    posix_fadvise(source, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// Copies through memory and returns the SHA-256. Holes are hashed as zeros, as they read.
  mutating func passBytes() throws(FileCopy.Failure) -> String? {
    let digest: StreamDigest
    do { digest = try StreamDigest(parallel: size >= Self.parallelSize) } catch { throw .source(error) }
    while let segment = try nextSegment() {
      try passHole(to: segment.lowerBound, digest)
      try pass(to: segment.upperBound, digest)
    }
    try passHole(to: size, digest)
    try finish()
    return digest.finish()
  }

  /// Copies inside the kernel if possible, or else through memory.
  mutating func passInKernel() throws(FileCopy.Failure) {
    var inKernel = true
    while let segment = try nextSegment() {
      offset = segment.lowerBound
      while inKernel, offset < segment.upperBound {
        inKernel = try passRange(to: segment.upperBound)
      }
      try pass(to: segment.upperBound)
    }
    try finish()
  }

  /// The next segment between holes; nil if only a hole or nothing is left.
  private func nextSegment() throws(FileCopy.Failure) -> Range<Int>? {
    guard offset < size else { return nil }
    let data = lseek(source, offset, CLINUX_SEEK_DATA)
    if data < 0 {
      if Errno.last.number == ENXIO { return nil }
      // The file system does not know about holes, so everything is data.
      if Errno.last == .invalid || Errno.last == .notSupported { return offset..<size }
      throw .source(Errno.last)
    }
    guard data < size else { return nil }
    let hole = lseek(source, data, CLINUX_SEEK_HOLE)
    if hole < 0 { throw .source(Errno.last) }
    return data..<min(max(hole, data), size)
  }

  /// Calls copy_file_range(2) once. Returns false if it failed: read and write will then tell which side failed.
  private mutating func passRange(to end: Int) throws(FileCopy.Failure) -> Bool {
    if cancellation?.isCancelled == true { throw .cancelled }
    var (from, to) = (offset, offset)
    let count = unsafe copy_file_range(source, &from, target, &to, min(end - offset, Self.kernelChunk), 0)
    guard count > 0 else { return count < 0 && Errno.last == .interrupted }
    offset += count
    push()
    return true
  }

  private mutating func pass(to end: Int, _ digest: StreamDigest) throws(FileCopy.Failure) {
    while offset < end {
      let buffer = unsafe digest.buffer()
      let bytes = try unsafe read(into: buffer, upTo: end)
      digest.hash(bytes.count)
      // The buffer keeps its bytes until the next buffer is requested.
      try unsafe write(bytes)
    }
  }

  private mutating func pass(to end: Int) throws(FileCopy.Failure) {
    guard offset < end else { return }
    try unsafe withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 4096) {
      (buffer) throws(FileCopy.Failure) in
      while offset < end { try unsafe write(read(into: buffer, upTo: end)) }
    }
  }

  /// Reads at least one byte at the copy's position.
  private func read(
    into buffer: UnsafeMutableRawBufferPointer, upTo end: Int
  ) throws(FileCopy.Failure) -> UnsafeRawBufferPointer {
    if cancellation?.isCancelled == true { throw .cancelled }
    while true {
      let count = unsafe pread(source, buffer.baseAddress, min(buffer.count, end - offset), offset)
      if count > 0 { return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      if count == 0 { throw .changed(size: Int64(size)) }
      guard Errno.last == .interrupted else { throw .source(Errno.last) }
    }
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileCopy.Failure) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe pwrite(target, rest.baseAddress, rest.count, offset)
      if count > 0 {
        offset += count
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 || Errno.last != .interrupted {
        throw .target(count == 0 ? .noSpace : Errno.last)
      }
    }
    push()
  }

  /// Starts writeback of the new bytes, without waiting: sync_file_range(2).
  private mutating func push() {
    guard offset - pushed >= Self.stride else { return }
    _ = sync_file_range(target, pushed, offset - pushed, CLINUX_SYNC_FILE_RANGE_WRITE)
    pushed = offset
  }

  /// Sets the length, for a hole at the end is never written.
  private func finish() throws(FileCopy.Failure) {
    do { try check { ftruncate(target, size) } } catch { throw .target(error) }
  }

  private mutating func passHole(to end: Int, _ digest: StreamDigest) throws(FileCopy.Failure) {
    while offset < end {
      if cancellation?.isCancelled == true { throw .cancelled }
      let buffer = unsafe digest.buffer()
      let count = min(buffer.count, end - offset)
      unsafe _ = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
        as: UInt8.self, repeating: 0)
      digest.hash(count)
      offset += count
    }
  }
}
