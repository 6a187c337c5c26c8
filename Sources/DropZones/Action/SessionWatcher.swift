import DropEngine
import DropFlow
import DropSystem
import Synchronization

/// Reports a zone's targeted state and its sessions to a program's functions, one after another, on the pool.
///
/// A slow function delays only later notifications. While they wait, changes of one session are merged; each phase is
/// reported, and the end of each session is reported once.
final class SessionWatcher: ZoneWatcher {
  /// How many notifications may wait. Beyond it, new sessions are not reported.
  private static let limit = 4096

  private enum Notification: Sendable {
    case targeted(Bool)
    case session(SessionView)
  }

  private struct Mailbox {
    var waiting: [Notification] = []
    var isDelivering = false
    /// Sessions that are not reported, because there was no room when they began.
    var skipped: Set<DropID> = []

    mutating func add(_ added: Notification) {
      switch added {
      case .targeted:
        // On and off cancel each other out if neither has been reported.
        if waiting.count >= SessionWatcher.limit, case .targeted? = waiting.last {
          waiting.removeLast()
        } else {
          waiting.append(added)
        }
      case .session(let view):
        if case .session(let last)? = waiting.last, last.id == view.id, last.phase == view.phase {
          waiting.removeLast()
        }
        if view.phase == .entering, waiting.count >= SessionWatcher.limit { skipped.insert(view.id) }
        guard !skipped.contains(view.id) else {
          if view.phase.isLast { skipped.remove(view.id) }
          return
        }
        waiting.append(added)
      }
    }
  }

  private let mailbox = Mutex(Mailbox())
  private let declaredTypes: [ContentType]
  private let targeted: [@concurrent @Sendable (Bool) async -> Void]
  private let sessionUpdated: [@concurrent @Sendable (DropSession) async -> Void]
  private let pool: BlockingPool

  init?(_ actions: ZoneActions, pool: BlockingPool) {
    guard !actions.targeted.isEmpty || !actions.sessionUpdated.isEmpty else { return nil }
    targeted = actions.targeted
    sessionUpdated = actions.sessionUpdated
    declaredTypes = actions.declaredTypes
    self.pool = pool
  }

  func targeted(_ isTargeted: Bool) {
    if !targeted.isEmpty { add(.targeted(isTargeted)) }
  }

  func updated(_ view: SessionView) {
    if !sessionUpdated.isEmpty { add(.session(view)) }
  }

  private func add(_ notification: Notification) {
    let startsDelivering = mailbox.withLock { mailbox in
      mailbox.add(notification)
      defer { mailbox.isDelivering = true }
      return !mailbox.isDelivering
    }
    guard startsDelivering else { return }
    Task(executorPreference: pool) { [self] in await deliverAll() }
  }

  private func deliverAll() async {
    while let notification = next() {
      switch notification {
      case .targeted(let isTargeted):
        for action in targeted { await action(isTargeted) }
      case .session(let view):
        let session = DropSession(view, declared: declaredTypes)
        for action in sessionUpdated { await action(session) }
      }
    }
  }

  private func next() -> Notification? {
    mailbox.withLock { mailbox in
      guard !mailbox.waiting.isEmpty else {
        mailbox.isDelivering = false
        return nil
      }
      return mailbox.waiting.removeFirst()
    }
  }
}

extension SessionState.Phase {
  /// Whether no other phase follows.
  fileprivate var isLast: Bool {
    switch self {
    case .entering, .active, .exiting, .ended(.move), .ended(.copy): false
    case .ended(.forbidden), .ended(.cancel), .transferred: true
    }
  }
}
