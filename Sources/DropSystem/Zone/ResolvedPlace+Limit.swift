internal import Dispatch
internal import DropEngine
internal import Synchronization

// Resolving the paths of a configuration, of which some may lead to file systems that hang.

extension ResolvedPlace {
  /// How long paths may take before only their names count.
  private static let patience = DispatchTimeInterval.seconds(5)
  /// How long one thread resolves all of them before each gets its own.
  private static let quick = DispatchTimeInterval.milliseconds(50)

  /// Resolves paths. One that takes too long, now or since an earlier call, counts as one that does not exist.
  static func all(_ paths: [RawPath]) -> [ResolvedPlace] {
    let resolution = Resolution(paths)
    resolution.start(threads: 1)
    if !resolution.wait(for: quick) {
      resolution.start(threads: paths.count)
      _ = resolution.wait(for: patience)
    }
    return resolution.places
  }
}

/// Paths that are being resolved, each by one thread.
private final class Resolution: Sendable {
  private struct State {
    var next = 0
    var places: [ResolvedPlace]
    var left: Int
  }

  private static let pool = BlockingPool(limit: 256, on: .fileSystems)
  /// Paths that threads of this process are waiting for.
  private static let pending = Mutex<Set<RawPath>>([])

  private let paths: [RawPath]
  private let state: Mutex<State>
  private let finished = DispatchSemaphore(value: 0)

  init(_ paths: [RawPath]) {
    self.paths = paths
    state = Mutex(State(places: paths.map { ResolvedPlace(unanswered: $0) }, left: paths.count))
  }

  var places: [ResolvedPlace] { state.withLock { $0.places } }

  func start(threads: Int) {
    for _ in 0..<threads { Self.pool.perform { [self] in work() } }
  }

  /// Returns false if not all paths are resolved in time.
  func wait(for limit: DispatchTimeInterval) -> Bool {
    paths.isEmpty || finished.wait(timeout: .now() + limit) == .success
  }

  private func work() {
    while let index = nextIndex() {
      let place = Self.resolve(paths[index])
      let isLast = state.withLock { state in
        if let place { state.places[index] = place }
        state.left -= 1
        return state.left == 0
      }
      if isLast { finished.signal() }
    }
  }

  private func nextIndex() -> Int? {
    state.withLock { state in
      guard state.next < paths.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Returns nil if another thread is waiting for the path.
  private static func resolve(_ path: RawPath) -> ResolvedPlace? {
    guard pending.withLock({ $0.insert(path).inserted }) else { return nil }
    defer { _ = pending.withLock { $0.remove(path) } }
    return ResolvedPlace(path)
  }
}
