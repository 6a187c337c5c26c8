package import DropEngine
package import DropSystem
internal import Synchronization

/// The way of one zone's payloads from release to receipt: claim, type, handler, delivery.
///
/// Work is done in batches of what is ready, so that commits and syncs are shared; what waits for a handler, a big
/// sync or a copy does so in tasks of its own and holds nobody up. The steps and their order are the durability
/// contract: bytes synced in the zone, intent committed, rename into the hold, verdict with the destination's name
/// committed, rename into the box, hold synced, box synced, receipt committed.
package actor ZoneFlow {
  static let batchLimit = 256
  /// How many are claimed and placed together: a commit and a sync are shared by all of them.
  static let claimLimit = 256
  /// How many are copied together; the first waits for the last.
  static let copyLimit = 64
  /// How many batches are claimed, and how many placed, side by side where there are full ones: while one waits for the
  /// disk the processors have the other.
  static let batchesAtOnce = 2
  /// Payloads that may be typed or wait for their place, open, before no more are claimed.
  static let placingLimit = 1024
  /// Bytes above which a payload is claimed in a batch of its own: its sync takes long.
  static let bigPayload: Int64 = 16 << 20
  static let bigClaimsAtOnce = 4

  let plan: ZonePlan
  let ledger: Ledger
  let typer: ContentTyper
  let pool: BlockingPool
  let observer: any FlowObserver
  let holds: HoldDirectories
  let log: any FlowLog
  let suspects: CrashSuspects

  private let inbox = Mutex(Inbox())
  var released = Queue<Release>()
  var claimers = 0
  var bigReleases = Queue<Release>()
  var bigClaims = 0
  /// Batches that are on their way into the hold, and who waits for the last.
  var claiming = 0
  var claimsEnd: [CheckedContinuation<Void, Never>] = []
  /// Claimed while others are judged.
  var toJudge: [ClaimedPayload] = []
  var isJudging = false
  var toHandle = Queue<ClaimedPayload>()
  var handling = 0
  /// Whether the call that is under way is about a payload that the daemon may have died of.
  var isSuspectAsked = false
  /// What handlers are asked about now, by call.
  var asked: [Int: [DropID: ClaimedPayload]] = [:]
  var nextCall = 0
  /// Calls whose time is over and that have not returned.
  var overdue: Set<Int> = []
  var toPlace = Queue<ClaimedPayload>()
  /// Go on when enough of them are placed.
  var placingWaiters: [CheckedContinuation<Void, Never>] = []
  var placers = 0
  /// Wait for their copy to another file system, and those that are being copied.
  var toCopy = Queue<Placement>()
  var longToCopy = Queue<Placement>()
  var copies: [DropID: Placement] = [:]
  /// In their places, and without a receipt yet.
  var unfinished: [Placement] = []
  var isFinishing = false
  /// Payloads whose box or rejects cannot be had now, by the place.
  var gates: [String: Gate] = [:]
  /// What payloads in hand wait for; the zone is blocked while one waits for a place.
  var troubles: [DropID: PayloadTrouble] = [:]
  /// Why what was placed last could not be synced, until something can.
  var syncTrouble: String?
  /// Why the ledger cannot be written, where it cannot.
  var ledgerTrouble: String?
  /// Why the handler cannot be had, where it cannot.
  var handlerTrouble: String?
  var inHand = 0
  /// Deliveries that are on their way back, and rejects that are being taken again.
  var retaken: Set<DropID> = []
  let mountPoints: MountPoints
  /// Payloads that recovery found, until `begin`.
  private var recovered: [ClaimedPayload] = []
  private var hasBegun = false
  var isStopping = false
  /// Whether another flow has its zone, or will: it finishes what it has.
  var isRetired = false
  /// Ends copies that are under way: those from the zone into the hold, and all others.
  let claims = Cancellation()
  let cancellation = Cancellation()
  var tasks: [Int: Task<Void, Never>] = [:]
  var nextTask = 0

  /// What staging released and the flow has not taken yet, and the task in which it will.
  private struct Inbox {
    var releases: [Release] = []
    var task: Task<Void, Never>?
  }

  struct Gate {
    var reason: String
    var back: Duration
    var waiting: [ClaimedPayload] = []
    /// Whether those that waited are trying it just now; it is shut until one gets through.
    var isTried = false
  }

  package init(
    plan: ZonePlan, mountPoints: MountPoints, ledger: Ledger, typer: ContentTyper, pool: BlockingPool,
    observer: any FlowObserver, log: any FlowLog, suspects: CrashSuspects
  ) {
    self.plan = plan
    self.mountPoints = mountPoints
    self.ledger = ledger
    self.typer = typer
    self.pool = pool
    self.observer = observer
    self.log = log
    self.suspects = suspects
    holds = HoldDirectories(settings: plan.settings)
  }

  nonisolated var settings: ZoneSettings { plan.settings }
  nonisolated var name: String { plan.settings.name }

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

  /// Goes on with the claim in the same task: the way to another costs more than one small file.
  private func take() async {
    let new = inbox.withLock { inbox in
      defer { inbox = Inbox() }
      return inbox
    }
    guard claimsGoOn else { return }
    for release in new.releases { released.append(release) }
    guard mayClaim else { return }
    let number = nextTask
    nextTask += 1
    tasks[number] = new.task
    claimers += 1
    await claimNext()
    tasks[number] = nil
  }

  /// Goes on with what recovery found in the hold, once the zone is there that is told of it.
  func resume(_ payloads: [ClaimedPayload]) async {
    inHand += payloads.count
    recovered += payloads.map { payload in
      var payload = payload
      payload.drop.holdIdentity = Drop.identity(ofHold: payload.drop.holdPath)?.stored
      return payload
    }
    if hasBegun { goOn() }
    publishClaimedCount()
  }

  /// Lets what was recovered go on. What becomes of it is told to the zone, so that is known by now.
  package func begin() async {
    hasBegun = true
    goOn()
    publishClaimedCount()
  }

  private func goOn() {
    let payloads = recovered
    recovered = []
    for payload in payloads where payload.drop.state != .claiming { place(payload) }
    let claimed = payloads.filter { $0.drop.state == .claiming }
    if !claimed.isEmpty { start { await $0.judgeOneByOne(claimed) } }
  }

  /// Lets nothing new begin, takes the handlers back, and returns when everything is parked.
  package func stop() async {
    isStopping = true
    claims.cancel()
    cancellation.cancel()
    claimOnWhereThereIsRoom()
    // Those that are idle end beside those that are busy.
    async let idle: Void? = plan.handler?.close()
    while !tasks.isEmpty {
      let running = Array(tasks.values)
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
    claims.cancel()
    released = Queue()
    bigReleases = Queue()
    claimOnWhereThereIsRoom()
    if claiming > 0 { await withCheckedContinuation { claimsEnd.append($0) } }
    await closeHandler()
  }

  /// Whether nothing is left to be done, and nothing waited for.
  package var isIdle: Bool { inHand == 0 && tasks.isEmpty && inbox.withLock { $0.task == nil } }

  /// Runs `body` beside the others, on threads that may wait.
  func start(_ body: @escaping @Sendable (isolated ZoneFlow) async -> Void) {
    let number = nextTask
    nextTask += 1
    tasks[number] = Task(executorPreference: pool) { await self.run(body, as: number) }
  }

  private func run(_ body: @Sendable (isolated ZoneFlow) async -> Void, as number: Int) async {
    await body(self)
    tasks[number] = nil
  }

  /// Tells how many are in hand and what blocks the zone.
  package func publishClaimedCount() {
    observer.handChanged(inHand, blocked: blockedReason)
  }

  /// What keeps a payload in hand from going on; nil while it is worked on.
  func trouble(of id: DropID) -> String? {
    troubles[id]?.message
      ?? gates.values.first { $0.waiting.contains { $0.drop.id == id } }?.reason
  }

  var blockedReason: String? {
    if let gate = gates.values.first(where: { !$0.waiting.isEmpty || $0.isTried }) { return gate.reason }
    return ledgerTrouble ?? handlerTrouble ?? overdueTrouble
      ?? troubles.values.first { $0.waiting == .blocked }?.message
  }

  /// Waits, unless the daemon stops meanwhile; returns whether the time is over.
  func pause(_ duration: Duration) async -> Bool {
    await TimerQueue.shared.sleep(for: duration)
  }
}

/// Where the flow says what happened.
package protocol FlowLog: Sendable {
  func notice(_ message: String, zone: String, id: DropID?, location: RawPath?)
  func warning(_ message: String, zone: String, id: DropID?, location: RawPath?)
}
