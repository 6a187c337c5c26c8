internal import Dispatch
internal import CLinux
internal import Glibc

/// Hashes what a copy passes, beside the copying where that pays: a digest takes as long as the bytes' way to the disk.
///
/// The copy asks for a slot, fills it, hands it in and may go on reading from it; the slot comes round again
/// once it has been hashed. Belongs to one copy on one thread.
@safe final class DigestLane: @unchecked Sendable {
  /// Large enough that handing over costs nothing, and all of them small enough for the processor's cache.
  private static let slotSize = 1 << 20
  private static let parallelSlots = 4

  /// Nil where hashing is done at once, by the caller.
  private let thread: SerialThread?
  private let slots: [UnsafeMutableRawBufferPointer]
  /// Counts the slots that nobody reads. It starts at nothing, or libdispatch ends the process when a failed copy
  /// lets go of it with slots still out.
  private let free = DispatchSemaphore(value: 0)
  private var current = 0
  /// Touched on the thread only, where there is one.
  private var digest: Digest?

  init(parallel: Bool) throws(Errno) {
    digest = try Digest.begin()
    thread = parallel ? SerialThread(name: "digest") : nil
    let count = parallel ? Self.parallelSlots : 1
    unsafe slots = (0..<count).map { _ in
      UnsafeMutableRawBufferPointer.allocate(byteCount: Self.slotSize, alignment: 4096)
    }
    for _ in 0..<count { free.signal() }
  }

  deinit {
    // Nothing is left to hash: what is holds the lane.
    unsafe slots.forEach { unsafe $0.deallocate() }
  }

  /// The next buffer to fill, once it has been hashed.
  func slot() -> UnsafeMutableRawBufferPointer {
    free.wait()
    current = unsafe (current + 1) % slots.count
    return unsafe slots[current]
  }

  /// Hashes the first `count` bytes of the last slot, and frees it.
  func hash(_ count: Int) {
    perform { [current] lane in
      unsafe lane.digest?.update(UnsafeRawBufferPointer(rebasing: lane.slots[current][..<count]))
      lane.free.signal()
    }
  }

  /// Waits for the rest and returns the digest; there is nothing to hash afterwards.
  func finish() -> String? {
    thread?.flush()
    return digest.take()?.finish()
  }

  private func perform(_ body: @escaping @Sendable (DigestLane) -> Void) {
    guard let thread else { return body(self) }
    thread.add { body(self) }
  }
}
