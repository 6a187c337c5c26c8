/// Limits how many tests run at once: they mostly wait, but sometimes need much processor time.
package actor Slots {
  private var free: Int
  private var queue: [CheckedContinuation<Void, Never>] = []

  package init(_ count: Int) {
    free = count
  }

  /// As many as a small machine can handle, or DZ_SLOTS.
  package static let shared = Slots(Environment["DZ_SLOTS"].flatMap(Int.init) ?? 6)

  /// For the inotify library, whose state is shared by the whole process.
  package static let watching = Slots(1)

  /// Runs `body` when a slot is free.
  package nonisolated func run<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    await take()
    do {
      let result = try await body()
      await give()
      return result
    } catch {
      await give()
      throw error
    }
  }

  private func take() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { queue.append($0) }
  }

  private func give() {
    if queue.isEmpty {
      free += 1
    } else {
      queue.removeFirst().resume()
    }
  }
}
