/// One at a time, over all zones: a payload that an earlier process may have died of is looked at or asked about while
/// no other such payload is. If this process dies as well, it is known over which.
package actor CrashSuspects {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Waits for the turn; who has it gives it back with `leave`.
  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
