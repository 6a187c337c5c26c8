import DropEngine
import DropFlow
import DropSystem
import Synchronization

/// Tells a program's functions of a zone's light and its sessions, one after another and in order, on the pool.
///
/// A function that takes its time holds up nobody but the news behind it. Of these, changes of one session are folded;
/// every phase is told, and each session's end once.
final class SessionWatcher: ZoneWatcher {
  /// News that wait at most; beyond it no session but those under way is begun.
  private static let limit = 4096

  private enum Notification: Sendable {
    case targeted(Bool)
    case session(SessionView)
  }

  private struct Mailbox {
    var news: [Notification] = []
    var isDelivering = false
    /// Sessions that nothing was told of, because there was no room.
    var skipped: Set<DropID> = []

    mutating func add(_ added: Notification) {
      switch added {
      case .targeted:
        // On and off cancel out when nobody has heard of either.
        if news.count >= SessionWatcher.limit, case .targeted? = news.last {
          news.removeLast()
        } else {
          news.append(added)
        }
      case .session(let view):
        if case .session(let last)? = news.last, last.id == view.id, last.phase == view.phase { news.removeLast() }
        if view.phase == .entering, news.count >= SessionWatcher.limit { skipped.insert(view.id) }
        guard !skipped.contains(view.id) else {
          if view.phase.isLast { skipped.remove(view.id) }
          return
        }
        news.append(added)
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

  private func add(_ news: Notification) {
    let begins = mailbox.withLock { mailbox in
      mailbox.add(news)
      defer { mailbox.isDelivering = true }
      return !mailbox.isDelivering
    }
    guard begins else { return }
    Task(executorPreference: pool) { [self] in await tellAll() }
  }

  private func tellAll() async {
    while let news = next() {
      switch news {
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
      guard !mailbox.news.isEmpty else {
        mailbox.isDelivering = false
        return nil
      }
      return mailbox.news.removeFirst()
    }
  }
}

extension SessionState.Phase {
  /// Whether nothing follows it.
  fileprivate var isLast: Bool {
    switch self {
    case .entering, .active, .exiting, .ended(.move), .ended(.copy): false
    case .ended(.forbidden), .ended(.cancel), .transferred: true
    }
  }
}
