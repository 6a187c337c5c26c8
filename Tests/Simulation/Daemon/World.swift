import DropEngine

/// A machine, the daemon on it, and everything that may happen to the two.
///
/// It is a value: a copy of it can be cut at any step while the original goes on.
package struct World {
  var machine: Machine
  var daemon: Daemon
  let policies: [DeliveryPolicy]
  var planted: PlantedRun?
  var coverage: Coverage?
  /// How many steps were performed.
  package private(set) var steps = 0

  package init(_ setup: Setup, planted: PlantedFault? = nil, coverage: Coverage? = nil) {
    machine = Machine(setup)
    daemon = Daemon(machine.ledger, isPaused: false)
    daemon.hasScanned = true
    policies = [Place.zone, .secondZone].map {
      DeliveryPolicy(
        settings: setup.settings(of: $0), asksHandler: setup.hasHandler, asksConfiguration: setup.hasHandler)
    }
    self.planted = planted.map { PlantedRun($0) }
    self.coverage = coverage
  }

  package var setup: Setup { machine.setup }
  package var violation: Violation? { machine.witness.violation }

  func policy(of zone: String) -> DeliveryPolicy { policies[zone == "one" ? 0 : 1] }

  // MARK: - Steps

  /// How many payloads can go on now.
  package var runnable: [Int] { daemon.runnable(machine) }

  /// Performs the next step of a payload.
  package mutating func step(_ index: Int) {
    steps += 1
    let step = daemon.payloads[index].delivery.step
    announce(step, of: daemon.payloads[index])
    let event: Delivery.Event?
    if planted != nil {
      event = planted?.perform(step, of: &daemon.payloads[index], on: &machine)
    } else {
      event = Performer.perform(step, of: &daemon.payloads[index], on: &machine)
    }
    if let event { report(event, of: step, to: index) }
    scanIfRecovered()
    StepCheck.run(&machine)
  }

  private mutating func report(_ event: Delivery.Event, of step: Delivery.Step, to index: Int) {
    let before = coverage.map { _ in daemon.payloads[index].delivery }
    let wasClaiming = daemon.payloads[index].delivery.stage == .claim
    daemon.payloads[index].delivery.receive(event, at: machine.now)
    if let coverage, let before { coverage.count(before, event, daemon.payloads[index].delivery) }
    if case .commit(let changes) = step {
      if case .failed(let failure) = event {
        // A ledger that is broken ends the daemon.
        if failure.kind != .ledgerNoRoom { return restart(afterCleanStop: false) }
      } else {
        tell(changes)
      }
    }
    follow(index, wasClaiming: wasClaiming)
  }

  private mutating func follow(_ index: Int, wasClaiming: Bool) {
    let delivery = daemon.payloads[index].delivery
    if case .wait(let wait) = delivery.step {
      if wait.cause == .ledger, delivery.isRecovering { machine.witness.recoversLate(delivery.drop.id) }
      daemon.payloads[index].closeFiles()
      var backoff = Backoff(limit: wait.longestBackoff, after: daemon.payloads[index].backoff.current)
      let delay = backoff.next()
      daemon.payloads[index].backoff = backoff
      daemon.payloads[index].resumesAt = machine.now + max(1, delay.milliseconds)
    }
    daemon.payloads[index].isSuspect = daemon.payloads[index].isSuspect && delivery.stage == .judge
    if daemon.payloads[index].isBeforeScan {
      switch delivery.stage {
      case .recovery, .giveBack, .receipts, .copy: break
      default:
        daemon.payloads[index].isBeforeScan = false
        daemon.payloads[index].isSuspect = delivery.stage == .judge
      }
    }
    if wasClaiming, delivery.stage != .claim, !delivery.isEnded, let note = delivery.drop.copiedOriginal {
      daemon.note(note)
    }
    if delivery.isEnded { end(index) }
  }

  /// A payload of which this process does nothing more.
  private mutating func end(_ index: Int) {
    let payload = daemon.payloads[index]
    switch payload.delivery.step {
    case .stay(let refusal):
      if let file = payload.file {
        daemon.expect(AttemptCount(of: payload.drop))
        daemon.postpone(file, until: machine.now + (refusal.waiting == nil ? Daemon.quiet : 5 * Daemon.quiet))
      }
    case .leftInZone(let count?): daemon.expect(count)
    case .refused: if payload.drop.state == .returning { daemon.forgetNotes(of: payload.drop.id) }
    // The ledger is broken, or the handler was stopped.
    case .parked: return restart(afterCleanStop: false)
    default: break
    }
    daemon.payloads.remove(at: index)
  }

  // MARK: - What staging is told

  private mutating func announce(_ step: Delivery.Step, of payload: Payload) {
    let drop = payload.drop
    switch step {
    case .rename(_, to: .origin, _):
      if drop.source != nil { return daemon.note(payload.delivery.undoNote) }
      guard drop.state == .returning else { return }
      let delay = payload.delivery.returnReason?.delay.milliseconds ?? 0
      daemon.expect(AttemptCount(of: drop), until: delay == 0 ? 0 : machine.now + delay)
    case .commit(let changes):
      for case .putOriginal(let note) in changes { daemon.note(note) }
    default: break
    }
  }

  private mutating func tell(_ changes: [LedgerChange]) {
    for change in changes {
      switch change {
      case .putCopiedOriginal(let note): daemon.noteCopied(note)
      case .removeOriginal(let zone, let location, let id?): daemon.forgetNote(in: zone, at: location, of: id)
      case .putAttempts(let count, _): daemon.expect(count, until: untilAskedAgain(count))
      default: break
      }
    }
  }

  /// What waits for its handler in the zone keeps its delay.
  private func untilAskedAgain(_ count: AttemptCount) -> Int64 {
    daemon.origins.first { $0.count.id == count.id }?.until ?? 0
  }

  // MARK: - Start and end

  /// Starts the daemon again on what the disks and the ledger have.
  mutating func restart(afterCleanStop: Bool) {
    let isPaused = daemon.isPaused
    daemon = Daemon(machine.ledger, isPaused: isPaused)
    planted?.forgetProcess()
    for row in machine.ledger.rows {
      let known = planted?.recovered(row) ?? row
      let delivery = Delivery(recovering: known, policy: policy(of: row.zone), afterCleanStop: afterCleanStop)
      var payload = Payload(delivery)
      payload.isBeforeScan = true
      daemon.payloads.append(payload)
    }
    scanIfRecovered()
  }

  private mutating func scanIfRecovered() {
    guard !daemon.hasScanned, !daemon.payloads.contains(where: \.isBeforeScan) else { return }
    daemon.hasScanned = true
    for delivery in FindSteps.orphans(&machine, policies[0]) { daemon.payloads.append(Payload(delivery)) }
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
