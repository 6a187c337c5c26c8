package import DropEngine
package import DropSystem

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
  static let placingLimit = 1024

  let context: FlowContext
  /// The threads on which this flow waits for file systems.
  package nonisolated let pool: BlockingPool
  let claim: ClaimStage
  let claimQueue: ClaimQueue
  let judge: JudgeStage
  let handlers: HandlerStage
  let place: PlaceStage
  let placeQueue: PlaceQueue
  let copies: CopyStage
  let receipts: ReceiptStage
  let returns: ReturnStage
  let recovery: RecoveryStage
  let waitingRoom: WaitingRoom
  let reporter: FlowReporter

  let inbox = ReleaseInbox()
  var tasks = TaskSet()
  /// Deliveries that are on their way back, and rejects that are being taken again.
  var retaken: Set<DropID> = []
  /// Undos under way, and who waits for their end.
  var undos: [DropID: CheckedContinuation<Result<Void, RetryableError>, Never>] = [:]
  /// Payloads that recovery found, until `begin`.
  var recovered: [ClaimedPayload] = []
  var hasBegun = false
  private(set) var isStopping = false
  /// Whether another flow has its zone, or will: it finishes what it has.
  var isRetired = false

  package init(
    plan: ZonePlan, mountPoints: MountPoints, ledger: Ledger, typer: ContentTyper, pool: BlockingPool,
    observer: any FlowObserver, log: any FlowLog, suspects: CrashSuspects, time: TimeSource = .system
  ) {
    self.pool = pool
    context = FlowContext(
      plan: plan, ledger: ledger, typer: typer, observer: observer, log: log, mountPoints: mountPoints,
      suspects: suspects, time: time)
    let runner = StepRunner(context)
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
    reporter = FlowReporter(context, waitingRoom, handlers)
  }

  nonisolated var plan: ZonePlan { context.plan }
  nonisolated var time: TimeSource { context.time }
  package nonisolated var settings: ZoneSettings { context.settings }
  package nonisolated var name: String { context.name }

  /// What keeps a payload between claim and receipt from going on; nil while it is worked on.
  func trouble(of id: DropID) -> String? { waitingRoom.reason(of: id) }

  /// Tells how many payloads are between claim and receipt, and what blocks the zone.
  package func publishClaimedCount() { reporter.publish() }

  /// Whether nothing is left to be done, and nothing waited for.
  package var isIdle: Bool { reporter.count == 0 && tasks.isEmpty && inbox.isEmpty }

  // MARK: - Start and end

  /// Runs `body` beside the others, on threads that may wait.
  func start(_ body: @escaping @Sendable (isolated ZoneFlow) async -> Void) {
    let number = tasks.nextNumber()
    tasks.add(Task(executorPreference: pool) { await self.run(body, as: number) }, as: number)
  }

  func run(_ body: @Sendable (isolated ZoneFlow) async -> Void, as number: Int) async {
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
}
