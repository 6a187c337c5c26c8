internal import DropEngine
internal import DropSystem
internal import Synchronization

extension ZonesService {
  func monitor(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let zones: [String] = try call.parameters.take("zones") ?? []
    try call.parameters.finish()
    guard call.more, !call.oneway else { throw .expectedMore }
    let changes = try await translatingErrors { () throws(ControlError) in try await control.changes(of: zones) }
    let sender = ChangeSender(limit: limits.waiting)
    let limit = limits.change
    // One side of the queue accepts changes as fast as they occur; the other sends them as fast as the client reads.
    async let _: Void = forward(changes, to: sender)
    _ = try await replier.whileConnected { () throws(VarlinkError) in
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

  private func forward(_ changes: AsyncStream<ZoneStatus>, to sender: ChangeSender) async {
    for await var zone in changes {
      zone.cut(to: limits.change)
      sender.receive(zone)
    }
    sender.end()
  }
}

/// The queue between the daemon, which never waits, and a client, which may be slow.
private final class ChangeSender: Sendable {
  private let state: Mutex<(queue: ChangeQueue, hasEnded: Bool, nextWake: ContinuousClock.Instant?)>
  private let wakeUps: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init(limit: Int) {
    state = Mutex((ChangeQueue(limit: limit), false, nil))
    (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func receive(_ zone: ZoneStatus) {
    state.withLock { $0.queue.receive(zone, at: .now) }
    wake.yield()
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    wake.yield()
  }

  /// Waits for changes to send; returns nil at the end, or when the task is cancelled.
  func next() async -> [MonitorReply]? {
    while !Task.isCancelled {
      let (next, hasEnded) = state.withLock { ($0.queue.next(at: .now, .now), $0.hasEnded) }
      switch next {
      case .send(let changes): return changes
      case .wait(let instant): scheduleWake(at: instant)
      case .nothing: if hasEnded { return nil }
      }
      var iterator = wakeUps.makeAsyncIterator()
      _ = await iterator.next()
    }
    return nil
  }

  /// Makes `next` check the queue again at `instant`.
  private func scheduleWake(at instant: ContinuousClock.Instant) {
    let isScheduled = state.withLock { state in
      if let nextWake = state.nextWake, nextWake > .now, nextWake <= instant { return true }
      state.nextWake = instant
      return false
    }
    if isScheduled { return }
    let wake = wake
    Task {
      await TimerQueue.shared.sleep(for: ContinuousClock.now.duration(to: instant))
      wake.yield()
    }
  }
}
