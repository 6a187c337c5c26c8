import DropEngine

extension World {
  /// Lets something happen; what cannot happen now is left out.
  package mutating func perform(_ action: Action) {
    switch action {
    case .step(let index):
      let runnable = runnable
      if !runnable.isEmpty { step(runnable[index % runnable.count]) }
    case .advance: advance()
    case .run: while let first = runnable.first, violation == nil, steps < Self.limit { step(first) }
    case .settle: settle()
    case .kill: restart(afterCleanStop: false)
    case .cut(let answers):
      var choices = Choices(answers)
      cut(&choices)
    case .stop: stop()
    case .answer(let behaviour): machine.answers.append(behaviour)
    case .fault(let step, let error, let count): machine.faults.add(step, error, count: count)
    case .heal: heal()
    case .away(let place):
      // A directory that is open keeps its file system busy.
      if daemon.payloads.contains(where: { $0.delivery.stage == .claim }) { return }
      machine.away += place.mount
      machine.hasBeenAway = true
      machine.disks[machine[place].disk].syncAll()
    case .hang(let place): machine.hanging.append(place)
    case .readerTakesAll: machine.readerTakesAll = true
    case .pause: daemon.isPaused = true
    case .resume: daemon.isPaused = false
    case .writeHeld: writeHeld()
    case .retry: retry(force: false)
    case .release: retry(force: true)
    case .undo: undo()
    default:
      machine.isUndoingCopy = daemon.payloads.contains { $0.drop.state == .removing }
      do throws(CallError) {
        try People.perform(action, &machine)
      } catch {
        return
      }
      StepCheck.run(&machine)
    }
  }

  /// More steps than any script needs.
  static let limit = 20_000

  /// The power is cut, and the daemon starts on what the disks have.
  package mutating func cut(_ choices: inout Choices) {
    for disk in machine.disks.indices { machine.disks[disk].cut(&choices) }
    machine.lateOpeners = []
    machine.late = []
    let left = machine
    machine.witness.survivedCut(left)
    restart(afterCleanStop: false)
    StepCheck.run(&machine)
  }

  package mutating func kill() {
    restart(afterCleanStop: false)
    StepCheck.run(&machine)
  }

  /// The daemon stops in order: handlers are ended, and everything is parked.
  private mutating func stop() {
    for index in daemon.payloads.indices {
      guard case .ask = daemon.payloads[index].delivery.step else { continue }
      daemon.payloads[index].answer = nil
      daemon.payloads[index].delivery.receive(.answered(.void, report: nil, retryAfter: nil), at: machine.now)
      if case .commit(let changes) = daemon.payloads[index].delivery.step { machine.ledger.commit(changes) }
    }
    restart(afterCleanStop: true)
  }

  /// Faults stop, places and handlers answer, and senders close their files.
  package mutating func heal() {
    machine.faults.removeAll()
    machine.away = []
    machine.hanging = []
    machine.answers = []
    machine.lateOpeners = []
    machine.late = []
    daemon.isPaused = false
    for disk in machine.disks.indices { machine.disks[disk].closeAll() }
  }

  /// Lets everything be finished. What is still under way after `patience` waits never will be.
  package mutating func settle() {
    var waits = 0
    let start = steps
    while violation == nil {
      while let first = runnable.first, violation == nil, steps < start + 2000 { step(first) }
      if steps >= start + 2000 { return machine.witness.report(.unsettled, "it has not ended after 2000 steps") }
      guard nextDeadline != nil else { return }
      waits += 1
      if waits > 100 {
        return machine.witness.isLenient ? () : machine.witness.report(.unsettled, "it has not ended after 100 waits")
      }
      advance()
    }
  }

  /// Heals the machine, lets everything be finished, and checks what is left.
  package mutating func conclude() {
    guard violation == nil else { return }
    heal()
    settle()
    // What could not be tidied up is left to the next start.
    if violation == nil, daemon.payloads.isEmpty, !machine.ledger.rows.isEmpty {
      restart(afterCleanStop: true)
      settle()
    }
    // Directories that were not asked to last may be gone, with what a row waits for.
    guard violation == nil, !machine.witness.isLenient || daemon.payloads.isEmpty else { return }
    if let payload = daemon.payloads.first {
      return machine.witness.report(
        .unsettled, "\(payload.drop.id) waits for nothing: \(payload.delivery.stage), \(payload.delivery.step)")
    }
    machine.witness.isAfterCut = false
    StepCheck.run(&machine)
    FinalCheck.run(&machine)
  }

  private mutating func writeHeld() {
    for payload in daemon.payloads {
      guard case .choose = payload.delivery.step else { continue }
      _ = HandlerBehaviour.changeAndReject.act(on: payload, &machine)
    }
  }

  // MARK: - The operator

  private mutating func retry(force: Bool) {
    for record in machine.ledger.receipts.reversed() {
      guard machine.ledger.outcome(of: record.id) == record, record.outcome == .rejected || record.outcome == .failed,
        !isInHand(record.id), let place = record.place,
        let file = FinalCheck.file(at: place, machine)
      else { continue }
      let status = machine.status(of: file)
      guard status.size == record.bytes, status.modified == record.modified else { continue }
      var drop = Drop(
        id: record.id, zone: record.zone, location: record.location, state: .claiming, operation: .move,
        zonePath: record.zonePath, boxPath: record.boxPath, rejectsPath: record.rejectsPath,
        holdPath: Place.rejectsHold.path, entry: Drop.entry(for: record.id, name: record.location.lastComponent),
        inode: status.identity.inode, birth: status.identity.birth, size: status.size, modified: status.modified,
        firstSeen: record.firstSeen, released: machine.now, evidence: record.evidence ?? .quietOnly)
      drop.source = place
      drop.isForced = force
      drop.links = status.links
      machine.witness.asked(again: record.id, force: force)
      daemon.payloads.append(Payload(Delivery(claiming: drop, policy: policy(of: record.zone))))
      return
    }
  }

  private mutating func undo() {
    for record in machine.ledger.receipts.reversed() {
      guard machine.ledger.outcome(of: record.id) == record, record.outcome == .delivered, !record.replaced,
        !isInHand(record.id), let place = record.place,
        let file = FinalCheck.file(at: place, machine)
      else { continue }
      let status = machine.status(of: file)
      guard status.identity.matches(inode: record.inode, birth: record.birth), status.size == record.bytes,
        status.modified == record.modified
      else { continue }
      let isCopy = record.operation == .copy || machine.ledger.originals.contains { $0.id == record.id }
      if isCopy, !hasOriginal(of: record) { continue }
      let delivery = Delivery(undoing: record, status: status, isCopy: isCopy, policy: policy(of: record.zone))
      guard let delivery else { continue }
      machine.witness.asked(again: record.id, force: false)
      return daemon.payloads.append(Payload(delivery))
    }
  }

  private func isInHand(_ id: DropID) -> Bool {
    machine.ledger.row(of: id) != nil || daemon.payloads.contains { $0.drop.id == id }
  }

  private func hasOriginal(of record: ReceiptRecord) -> Bool {
    let path = RawPath(record.zonePath).appending(record.location)
    guard let file = FinalCheck.file(at: path, machine) else { return false }
    let status = machine.status(of: file)
    // By its bytes too, unlike the daemon: of an original that nobody has synced, a power cut may leave the same size and
    // time with other bytes.
    return status.size == record.bytes && status.modified == record.modified
      && record.sha256.map { $0 == machine[file].content.digest } ?? true
  }
}
