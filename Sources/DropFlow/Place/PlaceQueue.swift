import DropEngine

/// Payloads that have their verdict and wait for their place.
final class PlaceQueue {
  private let batchesAtOnce: Int
  private var queue = Queue<ClaimedPayload>()
  private var running = 0

  init(batchesAtOnce: Int) {
    self.batchesAtOnce = batchesAtOnce
  }

  var count: Int { queue.count }
  var isIdle: Bool { running == 0 && queue.isEmpty }

  func append(_ payload: ClaimedPayload) { queue.append(payload) }

  /// Begins to place what is queued, if it may be: a second batch beside the first only if it is full.
  func begin() -> Bool {
    guard !queue.isEmpty, running == 0 || running < batchesAtOnce && queue.count >= ClaimQueue.batchLimit else {
      return false
    }
    running += 1
    return true
  }

  /// Begins on the caller's own thread, where little is queued and nobody is at it.
  func beginHere() -> Bool {
    guard !queue.isEmpty, running == 0, queue.count < concurrencyThreshold else { return false }
    running += 1
    return true
  }

  func end() { running -= 1 }

  func next() -> [ClaimedPayload] { queue.take(ClaimQueue.batchLimit) { _, _ in true } }
}
