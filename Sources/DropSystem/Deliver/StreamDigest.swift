internal import Dispatch
internal import CLinux
internal import Glibc

/// Hashes the bytes of a copy, in parallel with the copy if that is worthwhile: a digest takes about as long as writing
/// to the disk.
///
/// The copy requests a buffer, fills it, hands it over, and can still read from it. The buffer can be filled again once
/// it has been hashed. A digest belongs to one copy on one thread.
@safe final class StreamDigest: @unchecked Sendable {
  /// Large enough that handing over costs little. All buffers together fit into the processor's cache.
  private static let bufferSize = 1 << 20
  private static let parallelBuffers = 4
  private static let pool = BlockingPool(name: "digest", limit: Machine.processors)

  /// Nil if the caller's thread hashes.
  private let queue: SerialQueue?
  private let buffers: [UnsafeMutableRawBufferPointer]
  /// Counts the buffers that are not being hashed. It starts at zero: libdispatch ends a process that releases a
  /// semaphore below its first value, as a failed copy would.
  private let free = DispatchSemaphore(value: 0)
  private var current = 0
  /// Used only by the queue, if there is one.
  private var digest: Digest?

  init(parallel: Bool) throws(Errno) {
    digest = try Digest.begin()
    queue = parallel ? SerialQueue(on: Self.pool) : nil
    let count = parallel ? Self.parallelBuffers : 1
    unsafe buffers = (0..<count).map { _ in
      UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 4096)
    }
    for _ in 0..<count { free.signal() }
  }

  deinit {
    // Everything is hashed by now, because pending work keeps the digest alive.
    unsafe buffers.forEach { unsafe $0.deallocate() }
  }

  /// Returns the next buffer to fill, once it has been hashed.
  func buffer() -> UnsafeMutableRawBufferPointer {
    free.wait()
    current = unsafe (current + 1) % buffers.count
    return unsafe buffers[current]
  }

  /// Hashes the first `count` bytes of the last buffer, and frees it.
  func hash(_ count: Int) {
    perform { [current] stream in
      unsafe stream.digest?.update(UnsafeRawBufferPointer(rebasing: stream.buffers[current][..<count]))
      stream.free.signal()
    }
  }

  /// Waits until everything is hashed, and returns the digest. Nothing can be hashed afterwards.
  func finish() -> String? {
    queue?.flush()
    return digest.take()?.finish()
  }

  private func perform(_ body: @escaping @Sendable (StreamDigest) -> Void) {
    guard let queue else { return body(self) }
    queue.enqueue { body(self) }
  }
}
