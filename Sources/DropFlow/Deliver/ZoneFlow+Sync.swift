import DropEngine
import DropSystem

/// Steps 6 and 7 for what was renamed into its place: synced, and the receipt.
extension ZoneFlow {
  /// So long a few wait for others, to share their syncs and their commit. Nobody waits for these: the payloads are in
  /// their places, and what comes next has the disk to itself meanwhile.
  private static let sharing = Duration.milliseconds(2)
  private static let few = 16

  /// Queues payloads for their syncs and their receipts.
  func finishPlaced(_ placed: [Placement]) {
    guard !placed.isEmpty else { return }
    unfinished += placed.map { placement in
      var placement = placement
      placement.payload.file = nil
      return placement
    }
    guard !isFinishing else { return }
    isFinishing = true
    start { await $0.finishAll() }
  }

  private func finishAll() async {
    while !unfinished.isEmpty {
      if unfinished.count < Self.few { _ = await pause(Self.sharing) }
      let ready = unfinished
      unfinished = []
      await sync(ready)
      claimOnWhereThereIsRoom()
    }
    isFinishing = false
  }

  /// What cannot be synced has no receipt until it can.
  private func sync(_ placed: [Placement], back: Duration = .seconds(1)) async {
    if settings.delivery.durable, let error = await offActor({ OpenDestinations.sync(placed) }) {
      waitForSync(placed, error, back) { await $0.sync(placed, back: min(back * 2, .seconds(30))) }
      return
    }
    syncTrouble = nil
    for placement in placed { openGate(placement.root.path) }
    await finish(placed.map { ($0.payload.drop, $0.record) })
    prune(placed.map(\.payload.drop))
  }

  /// Lets payloads wait in the place they were renamed into, because that cannot be written to the disk.
  func waitForSync(
    _ placed: [Placement], _ error: Errno, _ back: Duration, again: @escaping @Sendable (ZoneFlow) async -> Void
  ) {
    for placement in placed {
      let message = "'\(Escaping.escape(placement.root.path))' cannot be synced: \(error)"
      troubles[placement.payload.drop.id] = PayloadTrouble(waiting: .blocked, message: message)
      // Nothing more is taken that would wait there as well.
      syncTrouble = message
    }
    log.warning(
      "\(placed.count) payloads wait in their place, synced again in \(back.formatted): \(error)", zone: name, id: nil,
      location: nil)
    start { flow in
      flow.publishClaimedCount()
      guard await flow.pause(back) else { return }
      for placement in placed { flow.waited(placement.payload.drop.id) }
      await again(flow)
    }
  }
}
