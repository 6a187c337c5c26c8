import Synchronization

/// What staging released and the flow has not taken yet.
final class ReleaseInbox: Sendable {
  private struct Content {
    var releases: [Release] = []
    /// The task in which the flow takes them.
    var task: Task<Void, Never>?
  }

  private let content = Mutex(Content())

  var isEmpty: Bool { content.withLock { $0.task == nil } }

  /// Adds releases in their order; calls `start` for a task that takes them, unless one is on its way.
  func add(_ releases: [Release], start: () -> Task<Void, Never>) {
    content.withLock { content in
      content.releases += releases
      if content.task == nil { content.task = start() }
    }
  }

  /// Takes all of them, and the task that was started for them.
  func take() -> (releases: [Release], task: Task<Void, Never>?) {
    content.withLock { content in
      defer { content = Content() }
      return (content.releases, content.task)
    }
  }
}
