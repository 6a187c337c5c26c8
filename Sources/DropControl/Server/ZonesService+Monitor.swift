internal import DropEngine
internal import DropSystem
internal import Synchronization

extension ZonesService {
  func monitor(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let zones: [String] = try call.parameters.take("zones") ?? []
    try call.parameters.finish()
    guard call.more, !call.oneway else { throw .expectedMore }
    let changes = try await asking { () throws(ControlError) in try await control.changes(of: zones) }
    let sender = ChangeSender(limit: limits.waiting)
    let limit = limits.change
    // Two sides of one queue: the one takes changes as fast as they come, the other goes at the client's pace.
    async let _: Void = hear(changes, sender)
    _ = try await replier.whileThere { () throws(VarlinkError) in
      while let changes = await sender.next() {
        for change in changes {
          try replier.send(change, continues: true)
          if replier.client.waiting > limit { await replier.client.drained() }
        }
        await replier.client.drained()
      }
    }
    throw VarlinkError(.stopping)
  }

  private func hear(_ changes: AsyncStream<ZoneStatus>, _ sender: ChangeSender) async {
    for await var zone in changes {
      zone.cut(to: limits.change)
      sender.receive(zone)
    }
    sender.end()
  }
}

/// The queue between a daemon that never waits and a client that may be slow.
private final class ChangeSender: Sendable {
  private let state: Mutex<(queue: ChangeQueue, isOver: Bool, tick: ContinuousClock.Instant?)>
  private let news: AsyncStream<Void>
  private let more: AsyncStream<Void>.Continuation

  init(limit: Int) {
    state = Mutex((ChangeQueue(limit: limit), false, nil))
    (news, more) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func receive(_ zone: ZoneStatus) {
    state.withLock { $0.queue.receive(zone, at: .now) }
    more.yield()
  }

  func end() {
    state.withLock { $0.isOver = true }
    more.yield()
  }

  /// Waits until there is something to tell; nil at the end, or when the task is cancelled.
  func next() async -> [MonitorReply]? {
    while !Task.isCancelled {
      let (next, isOver) = state.withLock { ($0.queue.next(at: .now, .now), $0.isOver) }
      switch next {
      case .tell(let changes): return changes
      case .wait(let instant): inspect(at: instant)
      case .nothing: if isOver { return nil }
      }
      var iterator = news.makeAsyncIterator()
      _ = await iterator.next()
    }
    return nil
  }

  /// Makes `next` look again then.
  private func inspect(at instant: ContinuousClock.Instant) {
    let isPlanned = state.withLock { state in
      if let tick = state.tick, tick > .now, tick <= instant { return true }
      state.tick = instant
      return false
    }
    if isPlanned { return }
    let more = more
    Task {
      await TimerQueue.shared.sleep(for: ContinuousClock.now.duration(to: instant))
      more.yield()
    }
  }
}
