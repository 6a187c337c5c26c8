package import DropEngine
import DropSystem

/// What an earlier process left: rows of the ledger, and payloads in holds that have none.
extension ZoneFlow {
  /// Carries out the rows of this zone; returns what goes with files that are in the zone still.
  package func recover(_ rows: [Drop], isCleanStop: Bool) async -> [AttemptCount] {
    var counts: [AttemptCount] = []
    for row in rows {
      let delivery = Delivery(recovering: row, policy: context.policy, afterCleanStop: isCleanStop)
      reporter.add(row.id)
      let (payload, records) = await recovery.run(ClaimedPayload(delivery, time: context.time))
      if let count = await finishBeforeScan(payload, records) { counts.append(count) }
    }
    reporter.publish()
    return counts
  }

  /// Goes on with a recovered payload as far as the first scan must not come in between: what goes back to the zone, and
  /// what a power cut left there of a payload that has its receipt. Returns what goes with a file that is in the zone.
  func finishBeforeScan(_ payload: ClaimedPayload, _ records: [ReceiptRecord]) async -> AttemptCount? {
    var (payload, records) = (payload, records)
    if payload.delivery.stage == .giveBack {
      let (next, more) = await returns.run(payload)
      (payload, records) = (next, records + more)
    }
    if case .chooseForCopy = payload.delivery.step {
      // The copy is whole and only lacks its name.
      let (next, more) = await copies.run(payload)
      (payload, records) = (next, records + more)
    }
    if payload.delivery.stage == .receipts, !receipts.isRunning {
      reporter.report(records)
      receipts.append(payload)
      await runReceipts()
      return nil
    }
    await goOn(payload, records)
    if case .leftInZone(let count) = payload.delivery.step { return count }
    return nil
  }

  /// Goes on with a row whose places did not tell at first.
  func recover(_ payload: ClaimedPayload) async {
    let (next, records) = await recovery.run(payload)
    await goOn(next, records)
  }

  /// Lets a recovered payload go on, unless the zone that is to be told of it is not there yet.
  func goOn(_ payload: ClaimedPayload, _ records: [ReceiptRecord]) async {
    switch payload.delivery.stage {
    case .judge, .handler, .place, .copy:
      reporter.report(records)
      recovered.append(payload)
      if hasBegun { startRecovered() }
    default: await dispatch([payload], records)
    }
  }

  /// Sends what lies in holds and is in no ledger to the rejects.
  package func recoverOrphans() async {
    for orphan in await recovery.findOrphans() {
      reporter.add(orphan.id)
      let (payload, records) = await recovery.run(orphan)
      await goOn(payload, records)
    }
    reporter.publish()
  }

  /// Lets what was recovered go on. What becomes of it is told to the zone, so that is known by now.
  package func begin() async {
    hasBegun = true
    startRecovered()
    reporter.publish()
  }

  func startRecovered() {
    let payloads = recovered
    recovered = []
    let judged = payloads.filter { $0.delivery.stage == .judge }
    let others = payloads.filter { $0.delivery.stage != .judge }
    if !others.isEmpty { start { await $0.dispatch(others) } }
    guard !judged.isEmpty else { return }
    start { flow in
      await flow.judge.runOneByOne(judged) { payloads, records in await flow.dispatch(payloads, records) }
    }
  }
}
