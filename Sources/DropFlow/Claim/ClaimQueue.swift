import DropEngine

/// Which releases are claimed together, and when: no faster than what was claimed is placed.
final class ClaimQueue {
  /// How many are claimed together: a commit and a sync are shared by all of them.
  static let batchLimit = 256
  /// How many are copied together; the first waits for the last.
  private static let copyLimit = 64
  /// Bytes above which a payload is claimed in a batch of its own: its sync takes long.
  private static let big: Int64 = 16 << 20
  private static let bigLimit = 4

  private let isInOrder: Bool
  private let batchesAtOnce: Int
  private var queue = Queue<Release>()
  private var bigQueue = Queue<Release>()
  private var running = 0
  private(set) var runningBig = 0
  /// Batches that go on when enough payloads are placed.
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameter isInOrder: Whether a later file may replace an earlier one, so that they must come in their order.
  init(isInOrder: Bool, batchesAtOnce: Int) {
    self.isInOrder = isInOrder
    self.batchesAtOnce = batchesAtOnce
  }

  func append(_ releases: [Release]) {
    for release in releases { queue.append(release) }
  }

  func removeAll() {
    queue = Queue()
    bigQueue = Queue()
  }

  /// Begins a batch if one may be: a second one beside the first only if it is full.
  func begin() -> Bool {
    guard !queue.isEmpty, running == 0 || running < batchesAtOnce && queue.count >= Self.batchLimit else {
      return false
    }
    running += 1
    return true
  }

  func end() { running -= 1 }

  /// Waits until enough payloads are placed, or nothing more is to be claimed.
  nonisolated(nonsending) func waitForRoom() async {
    await withCheckedContinuation { waiters.append($0) }
  }

  /// Lets the batches go on that wait for room.
  func continueWaiting() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// The next batch, of one mount and operation; big payloads are set aside for `nextBig()`.
  func next() -> [Release] {
    let limit = queue.first?.operation == .copy ? Self.copyLimit : Self.batchLimit
    let batch = queue.take(limit) { first, next in
      next.mountLocation == first.mountLocation && next.operation == first.operation
    }
    if isInOrder { return batch }
    for release in batch where isBig(release) { bigQueue.append(release) }
    return bigQueue.isEmpty ? batch : batch.filter { !isBig($0) }
  }

  private func isBig(_ release: Release) -> Bool { release.payload.status.size > Self.big }

  /// A big payload to be claimed by itself, if there is a place for it; `endBig()` is to be called after it.
  func nextBig() -> Release? {
    guard runningBig < Self.bigLimit, let release = bigQueue.popFirst() else { return nil }
    runningBig += 1
    return release
  }

  func endBig() { runningBig -= 1 }
}
