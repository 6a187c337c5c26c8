import DropEngine

/// Callers that wait for zones to be quiet, for the next receipt, or for scans to end.
struct Waiters {
  private struct QuietWaiter {
    var zones: [WatchedZone]
    var caller: CheckedContinuation<Bool, Never>
  }

  /// What a caller waits for.
  enum Event {
    /// Nothing is arriving, in hand, blocked or to be tried again in these zones.
    case quiet([WatchedZone])
    /// What was queued when the barrier was made is inspected.
    case inspected(InspectionBarrier)
    /// The zone cannot be used.
    case unavailable(WatchedZone)
    case receipt
  }

  private var quiet: [Int: QuietWaiter] = [:]
  private var inspections: [Int: (barrier: InspectionBarrier, caller: CheckedContinuation<Bool, Never>)] = [:]
  private var availability: [Int: (zone: WatchedZone, caller: CheckedContinuation<Bool, Never>)] = [:]
  private var receipts: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var scans: [CheckedContinuation<Void, Never>] = []
  private var last = 0
  /// Whether the daemon stops, and nobody waits any longer.
  private(set) var isEnding = false

  var count: Int { quiet.count + inspections.count + availability.count + receipts.count }
  var hasScanWaiters: Bool { !scans.isEmpty }

  /// A number for the next caller.
  mutating func nextNumber() -> Int {
    last += 1
    return last
  }

  mutating func add(_ caller: CheckedContinuation<Bool, Never>, _ number: Int, for event: Event) {
    switch event {
    case .quiet(let zones): quiet[number] = QuietWaiter(zones: zones, caller: caller)
    case .inspected(let barrier): inspections[number] = (barrier, caller)
    case .unavailable(let zone): availability[number] = (zone, caller)
    case .receipt: receipts[number] = caller
    }
  }

  mutating func addForScans(_ caller: CheckedContinuation<Void, Never>) {
    scans.append(caller)
  }

  /// Answers callers whose zones are quiet.
  mutating func answerQuiet(where isQuiet: (WatchedZone) -> Bool) {
    for (number, waiter) in quiet where waiter.zones.allSatisfy(isQuiet) {
      quiet[number] = nil
      waiter.caller.resume(returning: true)
    }
  }

  /// Answers callers whose barriers are passed.
  mutating func answerInspected() {
    for (number, waiter) in inspections where waiter.barrier.isPassed {
      inspections[number] = nil
      waiter.caller.resume(returning: true)
    }
  }

  /// Answers callers whose zones cannot be used.
  mutating func answerUnavailable() {
    for (number, waiter) in availability where waiter.zone.root.unavailable != nil {
      availability[number] = nil
      waiter.caller.resume(returning: true)
    }
  }

  mutating func answerReceipts() {
    for caller in receipts.values { caller.resume(returning: true) }
    receipts = [:]
  }

  mutating func answerScans() {
    for caller in scans { caller.resume() }
    scans = []
  }

  /// Tells a caller that its time is over, or that it has been cancelled.
  mutating func give(up number: Int) {
    quiet.removeValue(forKey: number)?.caller.resume(returning: false)
    inspections.removeValue(forKey: number)?.caller.resume(returning: false)
    availability.removeValue(forKey: number)?.caller.resume(returning: false)
    receipts.removeValue(forKey: number)?.resume(returning: false)
  }

  /// Tells all callers that the daemon stops.
  mutating func end() {
    isEnding = true
    let numbers = [Array(quiet.keys), Array(inspections.keys), Array(availability.keys), Array(receipts.keys)]
    for number in numbers.joined() { give(up: number) }
    answerScans()
  }
}
