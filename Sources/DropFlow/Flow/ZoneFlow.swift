package import DropEngine
package import DropSystem
internal import Synchronization

/// The way of one zone's payloads from release to receipt.
///
/// Each payload's `Delivery` says what is next, and this actor hands the payload to the stage that does it: claim,
/// judge, handler, place, copy, receipts, return. The stages own what they queue and share commits and syncs; they run on
/// this actor, and leave it only for work that takes long. Whatever waits is in the waiting room.
package actor ZoneFlow {
  /// How many batches are claimed, and how many placed, side by side if there are full ones: while one waits for the
  /// disk, the processors have the other.
  private static let batchesAtOnce = 2
  /// Payloads that may be on their way to their place, open, before no more are claimed.
  private static let placingLimit = 1024

  let context: FlowContext
  let pool: BlockingPool
  private let runner: StepRunner
  private let claim: ClaimStage
  private let claimQueue: ClaimQueue
  private let judge: JudgeStage
  private let handlers: HandlerStage
  private let place: PlaceStage
  private let placeQueue: PlaceQueue
  private let copies: CopyStage
  private let receipts: ReceiptStage
  let returns: ReturnStage
  private let recovery: RecoveryStage
  let waitingRoom: WaitingRoom

  private let inbox = Mutex(Inbox())
  private var tasks = TaskSet()
  /// Payloads between claim and receipt.
  private var claimed: Set<DropID> = []
  /// Deliveries that are on their way back, and rejects that are being taken again.
  var retaken: Set<DropID> = []
  /// Undos under way, and who waits for their end.
  var undos: [DropID: CheckedContinuation<Result<Void, RetryableError>, Never>] = [:]
  /// Payloads that recovery found, until `begin`.
  private var recovered: [ClaimedPayload] = []
  private var hasBegun = false
  private(set) var isStopping = false
  /// Whether another flow has its zone, or will: it finishes what it has.
  private var isRetired = false

  /// What staging released and the flow has not taken yet, and the task in which it will.
  private struct Inbox {
    var releases: [Release] = []
    var task: Task<Void, Never>?
  }

  package init(
    plan: ZonePlan, mountPoints: MountPoints, ledger: Ledger, typer: ContentTyper, pool: BlockingPool,
    observer: any FlowObserver, log: any FlowLog, suspects: CrashSuspects
  ) {
    self.pool = pool
    context = FlowContext(
      plan: plan, ledger: ledger, typer: typer, observer: observer, log: log, mountPoints: mountPoints,
      suspects: suspects)
    runner = StepRunner(context)
    // A later file that replaces an earlier one must come after it.
    let isInOrder = plan.settings.delivery.collision == .replace
    let batches = isInOrder ? 1 : Self.batchesAtOnce
    claimQueue = ClaimQueue(isInOrder: isInOrder, batchesAtOnce: batches)
    placeQueue = PlaceQueue(batchesAtOnce: batches)
    claim = ClaimStage(context, runner)
    judge = JudgeStage(context, runner)
    handlers = HandlerStage(context, runner)
    place = PlaceStage(context, runner)
    copies = CopyStage(context, runner)
    receipts = ReceiptStage(context, runner)
    returns = ReturnStage(context, runner)
    recovery = RecoveryStage(context, runner)
    waitingRoom = WaitingRoom(context)
  }

  nonisolated var plan: ZonePlan { context.plan }
  nonisolated var settings: ZoneSettings { context.settings }
  nonisolated var name: String { context.name }

  /// What keeps a payload between claim and receipt from going on; nil while it is worked on.
  func trouble(of id: DropID) -> String? { waitingRoom.reason(of: id) }

  // MARK: - Release to claim

  /// Takes what staging released, in its order; returns at once.
  ///
  /// The task begins here only to go to the flow, which is on the pool's threads (SE-0417): begun there, it would be on
  /// its way through one of them more.
  package nonisolated func submit(_ releases: [Release]) {
    inbox.withLock { inbox in
      inbox.releases += releases
      if inbox.task == nil { inbox.task = Task.immediate(executorPreference: pool) { await self.take() } }
    }
  }

  /// Goes on with the claim in the same task: switching to another costs more than one small file.
  private func take() async {
    let new = inbox.withLock { inbox in
      defer { inbox = Inbox() }
      return inbox
    }
    guard claimsGoOn else { return }
    claimQueue.append(new.releases)
    guard claimQueue.begin() else { return }
    let number = tasks.nextNumber()
    if let task = new.task { tasks.add(task, as: number) }
    await claimNext()
    tasks.remove(number)
  }

  private var claimsGoOn: Bool { !isStopping && !isRetired }

  private func startClaims() {
    guard claimsGoOn, claimQueue.begin() else { return }
    start { await $0.claimNext() }
  }

  /// Claims a batch, no faster than batches are placed; it is judged while the next one is claimed.
  private func claimNext() async {
    if claimsGoOn, !placingHasRoom { await claimQueue.waitForRoom() }
    let batch = claimsGoOn ? claimQueue.next() : []
    startClaims()
    startBigClaims()
    let claimed = await claim(batch)
    claimQueue.end()
    startClaims()
    await judge.runInTurn(claimed) { judged, receipts in
      await dispatch(judged, receipts)
      await placeHere()
      continueClaims()
    }
  }

  private func startBigClaims() {
    while claimsGoOn, let release = claimQueue.nextBig() {
      start { flow in
        let claimed = await flow.claim([release])
        await flow.judgeBeside(claimed)
        flow.claimQueue.endBig()
        flow.startBigClaims()
      }
    }
  }

  private func claim(_ batch: [Release]) async -> [ClaimedPayload] {
    var conditions = ClaimStage.Conditions()
    conditions.trouble = waitingRoom.claimTrouble(box: settings.box) ?? handlers.overdueTrouble
    conditions.load = load
    conditions.load.unsyncedElse = claimQueue.runningBig > 0 ? .max : batch.first?.unsyncedBytes ?? 0
    if !copies.isIdle, let box = try? Directory(settings.box).status() {
      conditions.promisedBytes = context.reservations.promisedBytes(on: box.identity.device)
    }
    return await claim.run(batch, conditions) { outcome in
      for payload in outcome.claimed { claimed.insert(payload.id) }
      // Counted twice for a moment rather than not at all.
      publishClaimedCount()
      // The originals of copies stay: one that is seen while its copy is in hand must not be taken again.
      let originals = outcome.claimed.compactMap(\.drop.copiedOriginal)
      if !originals.isEmpty { await context.observer.noted(originals) }
      if !outcome.claimed.isEmpty { context.observer.claimed(outcome.claimed.compactMap(\.key)) }
      if !outcome.refused.isEmpty { context.observer.notClaimed(outcome.refused) }
    }
  }

  /// How much is under way: with little, a step may wait for the disk on this actor's own thread.
  private var load: StepRunner.Load { StepRunner.Load(isLight: claimed.count < concurrencyThreshold) }

  private var placingHasRoom: Bool {
    judge.count + placeQueue.count + receipts.count + copies.count <= Self.placingLimit
  }

  private func continueClaims() {
    if !claimsGoOn || placingHasRoom { claimQueue.continueWaiting() }
  }

  func judgeBeside(_ payloads: [ClaimedPayload]) async {
    let (judged, receipts) = await judge.run(payloads)
    await dispatch(judged, receipts)
  }

  // MARK: - From stage to stage

  /// Hands payloads to the stages that have their next steps, and tells of receipts that are on the disk.
  func dispatch(_ payloads: [ClaimedPayload], _ records: [ReceiptRecord] = []) async {
    if !records.isEmpty { report(records) }
    for payload in payloads { await dispatch(payload) }
    startStages()
  }

  private func dispatch(_ payload: ClaimedPayload) async {
    // Everything is parked: the rows say what is left to do.
    if isStopping { return }
    switch payload.delivery.stage {
    case .judge: start { await $0.judgeBeside([payload]) }
    case .handler where payload.delivery.step == .awaitWorker: handlers.append(payload)
    case .handler:
      start { flow in
        let (next, records) = await flow.handlers.resume(payload)
        await flow.dispatch([next], records)
      }
    case .place: dispatchToPlace(payload)
    case .copy: copies.append(payload)
    case .receipts: receipts.append(payload)
    case .giveBack: start { await $0.giveBack(payload) }
    case .recovery: start { await $0.recover(payload) }
    case .waiting: wait(payload)
    case .claim: break
    case .end: await end(payload)
    }
  }

  private func dispatchToPlace(_ payload: ClaimedPayload) {
    guard case .compare = payload.delivery.step else { return placeQueue.append(payload) }
    start { flow in
      let context = flow.context
      var payload = payload
      let compared = payload
      payload.receive(await offActor { IdentityComparison(context: context).compare(compared) })
      await flow.dispatch([payload])
    }
  }

  /// Starts what is queued, as far as there are places for it.
  private func startStages() {
    if isStopping { return }
    while let batch = handlers.next() { start { await $0.ask(batch) } }
    startPlacing()
    while let payload = copies.next() {
      start { flow in
        let (next, records) = await flow.copies.run(payload)
        await flow.dispatch([next], records)
        flow.leavePlaces()
        flow.continueClaims()
      }
    }
    if receipts.count > 0, !receipts.isRunning { startReceipts() }
  }

  private func ask(_ batch: [ClaimedPayload]) async {
    guard let handler = plan.handler else { return }
    await handlers.run(batch, by: handler) { [weak self] id, decision, call in
      await self?.answered(id, decision, in: call)
    } finish: { payloads, records in
      await dispatch(payloads, records)
    }
    publishClaimedCount()
    startStages()
    await closeHandler()
  }

  private func answered(_ id: DropID, _ decision: HandlerDecision, in call: Int) async {
    guard let (payload, records) = await handlers.answer(id, decision, in: call) else { return }
    if case .blocked = decision.outcome {} else { waitingRoom.open(.handler) }
    await dispatch([payload], records)
  }

  /// Lets the handler go once a flow that gets nothing new has nobody left to ask about.
  private func closeHandler() async {
    if isRetired, handlers.isIdle { await plan.handler?.close() }
  }

  private func startPlacing() {
    guard placeQueue.begin() else { return }
    start { await $0.placeAll() }
  }

  /// Places what is queued here and now, if that is little and nobody is at it.
  private func placeHere() async {
    guard placeQueue.beginHere() else { return }
    await placeAll()
  }

  private func placeAll() async {
    while !isStopping {
      let batch = placeQueue.next()
      if batch.isEmpty { break }
      continueClaims()
      let (placed, records) = await place.run(batch, shut: waitingRoom.shutPlaces, load)
      await dispatch(placed, records)
    }
    placeQueue.end()
    startPlacing()
    leavePlaces()
  }

  private func startReceipts() {
    start { await $0.runReceipts() }
  }

  private func runReceipts() async {
    await receipts.run {
      load
    } finish: { payloads, records in
      openPlaces(of: payloads)
      await dispatch(payloads, records)
      prune(payloads)
      continueClaims()
    }
  }

  private func prune(_ payloads: [ClaimedPayload]) {
    guard settings.prune, !isStopping else { return }
    let left = EmptyDirectories.left(by: payloads.map(\.drop))
    if !left.isEmpty { start { await EmptyDirectories(context: $0.context).remove(left) } }
  }

  private func giveBack(_ payload: ClaimedPayload) async {
    let (next, records) = await returns.run(payload)
    await endUndo(next)
    await dispatch([next], records)
  }

  /// A payload of which nothing more is to be done in this process.
  private func end(_ payload: ClaimedPayload) async {
    switch payload.delivery.step {
    case .leftInZone, .finished, .refused:
      if claimed.remove(payload.id) != nil { publishClaimedCount() }
    default: break
    }
    if case .leftInZone = payload.delivery.step { await context.observer.settled(payload.id) }
  }

  // MARK: - Waiting

  func wait(_ payload: ClaimedPayload) {
    let call = waitingRoom.admit(payload)
    publishClaimedCount()
    guard let call else { return }
    start { flow in
      guard await TimerQueue.shared.sleep(for: call.after) else { return }
      let payloads = flow.waitingRoom.take(call)
      flow.publishClaimedCount()
      await flow.dispatch(payloads)
    }
  }

  /// The mounts have changed: what was proved of places is proved again, and what waits for one tries at once.
  package func placesMayHaveChanged() async {
    context.holds.forget()
    await dispatch(waitingRoom.takeWaitingForPlaces())
  }

  private func openPlaces(of payloads: [ClaimedPayload]) {
    for payload in payloads where payload.delivery.stage == .end {
      if let root = payload.drop.destinationRoot {
        waitingRoom.open(.place(root))
        waitingRoom.open(.sync(root))
      }
    }
    waitingRoom.open(.ledger)
  }

  private func leavePlaces() {
    if placeQueue.isIdle, copies.isIdle, waitingRoom.forgetTried() { publishClaimedCount() }
  }

  // MARK: - What others are told

  /// Counts a payload that came by another way than the claim.
  func count(_ id: DropID) {
    claimed.insert(id)
    publishClaimedCount()
  }

  /// Tells of receipts that are on the disk.
  private func report(_ records: [ReceiptRecord]) {
    for record in records { claimed.remove(record.id) }
    context.observer.finished(records)
    publishClaimedCount()
    for record in records {
      let what = record.place.map { "\(record.outcome.rawValue) as '\($0)'" } ?? record.outcome.rawValue
      let why = record.code.map { ": \($0.rawValue), \(record.message ?? "")" } ?? ""
      context.log.notice(what + why, zone: name, id: record.id, location: record.location)
    }
  }

  /// Tells how many are between claim and receipt, and what blocks the zone.
  package func publishClaimedCount() {
    context.observer.handChanged(
      claimed.count, blocked: waitingRoom.blockedReason ?? handlers.overdueTrouble)
  }

  /// Whether nothing is left to be done, and nothing waited for.
  package var isIdle: Bool { claimed.count == 0 && tasks.isEmpty && inbox.withLock { $0.task == nil } }

  // MARK: - Start and end

  /// Runs `body` beside the others, on threads that may wait.
  func start(_ body: @escaping @Sendable (isolated ZoneFlow) async -> Void) {
    let number = tasks.nextNumber()
    tasks.add(Task(executorPreference: pool) { await self.run(body, as: number) }, as: number)
  }

  private func run(_ body: @Sendable (isolated ZoneFlow) async -> Void, as number: Int) async {
    await body(self)
    tasks.remove(number)
  }

  /// Stops accepting work, ends the handlers, and returns once every payload is parked.
  package func stop() async {
    isStopping = true
    context.claims.cancel()
    context.copies.cancel()
    continueClaims()
    // Handlers that are idle end beside those that are busy.
    async let idle: Void? = plan.handler?.close()
    while !tasks.isEmpty {
      let running = tasks.running
      for task in running { task.cancel() }
      for task in running { await task.value }
    }
    await idle
    await plan.handler?.close()
  }

  /// Claims nothing more, and returns once what is being claimed is in the hold or stays in the zone: another flow takes
  /// the rest. What is in hand is finished, and the handler then let go.
  package func retire() async {
    isRetired = true
    claimQueue.removeAll()
    continueClaims()
    await claim.close()
    await closeHandler()
  }

  // MARK: - Recovery

  /// Carries out the rows of this zone; returns what goes with files that are in the zone still.
  package func recover(_ rows: [Drop], isCleanStop: Bool) async -> [AttemptCount] {
    var counts: [AttemptCount] = []
    for row in rows {
      let delivery = Delivery(recovering: row, policy: context.policy, afterCleanStop: isCleanStop)
      claimed.insert(row.id)
      let (payload, records) = await recovery.run(ClaimedPayload(delivery))
      if let count = await finishBeforeScan(payload, records) { counts.append(count) }
    }
    publishClaimedCount()
    return counts
  }

  /// Goes on with a recovered payload as far as the first scan must not come in between: what goes back to the zone, and
  /// what a power cut left there of a payload that has its receipt. Returns what goes with a file that is in the zone.
  private func finishBeforeScan(_ payload: ClaimedPayload, _ records: [ReceiptRecord]) async -> AttemptCount? {
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
      if !records.isEmpty { report(records) }
      receipts.append(payload)
      await runReceipts()
      return nil
    }
    await goOn(payload, records)
    if case .leftInZone(let count) = payload.delivery.step { return count }
    return nil
  }

  /// Goes on with a row whose places did not tell at first.
  private func recover(_ payload: ClaimedPayload) async {
    let (next, records) = await recovery.run(payload)
    await goOn(next, records)
  }

  /// Lets a recovered payload go on, unless the zone that is to be told of it is not there yet.
  private func goOn(_ payload: ClaimedPayload, _ records: [ReceiptRecord]) async {
    switch payload.delivery.stage {
    case .judge, .handler, .place, .copy:
      if !records.isEmpty { report(records) }
      recovered.append(payload)
      if hasBegun { startRecovered() }
    default: await dispatch([payload], records)
    }
  }

  /// Sends what lies in holds and is in no ledger to the rejects.
  package func recoverOrphans() async {
    for orphan in await recovery.findOrphans() {
      claimed.insert(orphan.id)
      let (payload, records) = await recovery.run(orphan)
      await goOn(payload, records)
    }
    publishClaimedCount()
  }

  /// Lets what was recovered go on. What becomes of it is told to the zone, so that is known by now.
  package func begin() async {
    hasBegun = true
    startRecovered()
    publishClaimedCount()
  }

  private func startRecovered() {
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
