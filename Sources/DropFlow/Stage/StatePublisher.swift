import DropEngine
import DropSystem

/// Publishes the states of zones to everyone who follows them.
final class StatePublisher {
  /// Changes other than those of `isTargeted` are published ten times a second at most.
  private static let interval = Duration.milliseconds(100)
  /// Publishing takes one part in so many of the time, apart from changes of `isTargeted`.
  private static let share = 20

  private struct Subscriber {
    /// Empty for all zones.
    var zones: Set<String>
    var continuation: AsyncStream<ZoneStatus>.Continuation
  }

  private let zones: ZoneRegistry
  private let composer: StatusComposer
  private var subscribers: [Int: Subscriber] = [:]
  private var lastSubscriber = 0
  /// Whether the daemon stops, and no stream goes on.
  private var isEnding = false

  init(zones: ZoneRegistry, composer: StatusComposer) {
    self.zones = zones
    self.composer = composer
  }

  // MARK: - Followers

  /// The states of some zones as they are now, and then each change of them.
  ///
  /// - Parameter ended: Called with the subscriber's number once nobody reads the stream any longer.
  func subscribe(
    to followed: [WatchedZone], ended: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<ZoneStatus> {
    let (stream, continuation) = AsyncStream.makeStream(of: ZoneStatus.self)
    for zone in followed { continuation.yield(composer.status(of: zone)) }
    if isEnding {
      continuation.finish()
      return stream
    }
    lastSubscriber += 1
    let id = lastSubscriber
    subscribers[id] = Subscriber(
      zones: followed.count == zones.all.count ? [] : Set(followed.map(\.name)), continuation: continuation)
    continuation.onTermination = { _ in ended(id) }
    return stream
  }

  func unsubscribe(_ id: Int) {
    subscribers[id] = nil
  }

  /// Ends the streams of those who follow only a zone that is gone.
  func remove(_ zone: WatchedZone) {
    for (id, subscriber) in subscribers where subscriber.zones.contains(zone.name) {
      subscribers[id]?.zones.remove(zone.name)
      // Without a name it would be one of all zones.
      guard subscriber.zones.count == 1 else { continue }
      subscribers[id] = nil
      subscriber.continuation.finish()
    }
  }

  /// Ends all streams, and those that are asked for later.
  func end() {
    isEnding = true
    for subscriber in subscribers.values { subscriber.continuation.finish() }
    subscribers = [:]
  }

  // MARK: - Publishing

  /// Publishes at once where a zone lights up or goes dark: each such change is published.
  func publishTargeted(at now: Duration) {
    for zone in zones.changed where zone.report.hasChanged && zone.report.publishedTargeted != zone.isTargeted {
      zone.followLight(at: now)
      if zone.report.publishedTargeted != nil || zone.isTargeted { zone.plan.watcher?.targeted(zone.isTargeted) }
      publish(zone, at: now)
    }
  }

  /// Publishes what has changed in zones whose time has come.
  func publish(at now: Duration) {
    publishTargeted(at: now)
    guard !subscribers.isEmpty else { return }
    for zone in zones.changed where zone.report.hasChanged && zone.report.nextPublish <= now { publish(zone, at: now) }
  }

  /// When a zone's changes are to be published; nil if nobody follows it, or nothing has changed.
  func deadline(of zone: WatchedZone) -> Duration? {
    zone.report.hasChanged && !subscribers.isEmpty ? zone.report.nextPublish : nil
  }

  private func publish(_ zone: WatchedZone, at now: Duration) {
    zone.report.publishedTargeted = zone.isTargeted
    zone.report.hasChanged = false
    zone.report.nextPublish = now + Self.interval
    let listening = subscribers.values.filter { $0.zones.isEmpty || $0.zones.contains(zone.name) }
    guard !listening.isEmpty else { return }
    let begin = zones.time.now
    let status = composer.status(of: zone)
    for subscriber in listening { subscriber.continuation.yield(status) }
    // A zone with very many payloads takes a while, in which no other goes on.
    let end = zones.time.now
    zone.report.nextPublish = end + max(Self.interval, (end - begin) * Self.share)
  }
}
