import DropEngine
import DropSystem

/// Where payloads wait, with one back-off for all reasons: 1 s at first, then twice as long each time.
///
/// Payloads that wait for the same thing, such as a box, go on together: the first one's time is the time of all. One
/// that waits for itself has its own.
final class WaitingRoom {
  private let context: FlowContext
  private var groups: [Group: Waiting] = [:]

  /// What payloads wait for together.
  fileprivate enum Group: Hashable {
    case payload(DropID)
    case cause(Delivery.Wait.Cause)
  }

  private struct Waiting {
    var reason: Delivery.Wait
    var backoff: Backoff
    var payloads: [ClaimedPayload] = []
    /// Whether those that waited are trying it just now; the place is shut until one gets through.
    var isTried = false
  }

  init(_ context: FlowContext) {
    self.context = context
  }

  /// When payloads that were let in are to be called.
  struct Call: Sendable {
    fileprivate let group: Group
    let after: Duration
  }

  /// Lets a payload wait. Returns when to call it; nil if another one's call is for this one too.
  func admit(_ payload: ClaimedPayload) -> Call? {
    guard case .wait(let wait) = payload.delivery.step else { return nil }
    var payload = payload
    payload.closeFiles()
    let group = wait.cause == .payload ? Group.payload(payload.id) : .cause(wait.cause)
    var waiting = groups[group] ?? Waiting(reason: wait, backoff: Backoff(limit: wait.longestBackoff))
    if wait.cause == .payload { waiting.backoff = payload.backoff.limited(to: wait.longestBackoff) }
    let isFirst = waiting.payloads.isEmpty
    waiting.reason = wait
    waiting.isTried = false
    if isFirst {
      let back = waiting.backoff.next()
      let what = wait.cause == .payload ? "waits in the hold, tried again in" : "blocked, tried again in"
      context.warning("\(what) \(back.formatted): \(wait.message)", wait.cause == .payload ? payload.drop : nil)
      if wait.cause == .payload { payload.backoff = waiting.backoff }
    }
    waiting.payloads.append(payload)
    groups[group] = waiting
    return isFirst ? Call(group: group, after: waiting.backoff.current) : nil
  }

  /// Takes the payloads of a call, ready for their next step.
  func take(_ call: Call) -> [ClaimedPayload] { take(call.group) }

  private func take(_ group: Group) -> [ClaimedPayload] {
    guard var waiting = groups[group] else { return [] }
    var payloads = waiting.payloads
    for index in payloads.indices { payloads[index].receive(.resumed) }
    waiting.payloads = []
    waiting.isTried = !payloads.isEmpty
    groups[group] = if case .payload = group { nil } else { waiting }
    return payloads
  }

  /// Takes what waits for a place, because the mounts have changed.
  func takeWaitingForPlaces() -> [ClaimedPayload] {
    groups.keys.flatMap { group -> [ClaimedPayload] in
      if case .cause(.place) = group { take(group) } else { [] }
    }
  }

  /// A place, the handler or the ledger works again, if nobody waits for it any more.
  func open(_ cause: Delivery.Wait.Cause) {
    if groups[.cause(cause)]?.payloads.isEmpty ?? false { groups[.cause(cause)] = nil }
  }

  /// Nobody is on the way to a place any more, and none got through: what went another way does not show it as shut.
  /// Returns whether that changes what blocks the zone.
  func forgetTried() -> Bool {
    let left = groups.filter { $0.value.payloads.isEmpty }
    for group in left.keys { groups[group] = nil }
    return left.values.contains { $0.isTried }
  }

  /// Boxes and rejects that payloads wait for, and why.
  var shutPlaces: [String: String] {
    var shut: [String: String] = [:]
    for (group, waiting) in groups where !waiting.payloads.isEmpty {
      if case .cause(.place(let path)) = group { shut[path] = waiting.reason.message }
    }
    return shut
  }

  /// Why nothing may be claimed now: what is claimed would wait as well.
  func claimTrouble(box: String) -> String? {
    for (group, waiting) in groups where !waiting.payloads.isEmpty || waiting.isTried {
      switch group {
      case .cause(.place(box)) where !waiting.payloads.isEmpty: return waiting.reason.message
      case .cause(.sync), .cause(.handler): return waiting.reason.message
      default: continue
      }
    }
    return nil
  }

  /// What blocks the zone.
  var blockedReason: String? {
    let blocking = groups.values.filter { $0.reason.waiting == .blocked && (!$0.payloads.isEmpty || $0.isTried) }
    // A place says more than what follows from it.
    return blocking.first { if case .place = $0.reason.cause { true } else { false } }?.reason.message
      ?? blocking.first?.reason.message
  }

  /// What keeps a payload from going on; nil while it is worked on.
  func reason(of id: DropID) -> String? {
    groups.values.first { $0.payloads.contains { $0.id == id } }?.reason.message
  }
}

extension Backoff {
  /// The same with another longest wait.
  func limited(to limit: Duration) -> Backoff {
    var backoff = Backoff(limit: limit)
    while backoff.current < current, backoff.current < limit { _ = backoff.next() }
    return backoff
  }
}
