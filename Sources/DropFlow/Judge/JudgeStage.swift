import DropEngine
import DropSystem

/// Finds out what payloads in the hold are, and lets the zone's rules decide: a claimed batch in, the batch with another
/// stage ahead of it out. Step 3 of the table in `RecoverPhase`.
final class JudgeStage {
  /// How long other zones wait for an examination.
  private static let examinationTime = Duration.seconds(10)

  private let context: FlowContext
  private let runner: StepRunner
  /// Claimed while others are judged.
  private var queue: [ClaimedPayload] = []
  private var isRunning = false

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  var count: Int { queue.count }

  /// Judges payloads after those that are being judged now, and before those that come later; `finish` gets each batch.
  nonisolated(nonsending) func runInTurn(
    _ payloads: [ClaimedPayload], finish: ([ClaimedPayload], [ReceiptRecord]) async -> Void
  ) async {
    queue += payloads
    guard !isRunning else { return }
    isRunning = true
    while !queue.isEmpty {
      let next = queue
      queue = []
      let (judged, receipts) = await run(next)
      await finish(judged, receipts)
    }
    isRunning = false
  }

  /// Judges payloads beside all others.
  nonisolated(nonsending) func run(
    _ batch: [ClaimedPayload]
  ) async -> (payloads: [ClaimedPayload], receipts: [ReceiptRecord]) {
    var payloads = batch
    var receipts: [ReceiptRecord] = []
    while true {
      receipts += await runner.run(&payloads, in: .judge)
      let left = payloads.indices.filter { payloads[$0].delivery.stage == .judge }
      if left.isEmpty || context.copies.isCancelled { return (payloads, receipts) }
      await check(&payloads, left)
      for index in left {
        if case .configure = payloads[index].delivery.step { await configure(&payloads[index]) }
      }
    }
  }

  nonisolated(nonsending) private func check(_ payloads: inout [ClaimedPayload], _ indices: [Int]) async {
    let checking = indices.filter { payloads[$0].delivery.step == .check }
    if checking.isEmpty { return }
    let context = context
    let digestsAll = context.settings.delivery.digest == .yes
    let isLong = digestsAll && checking.contains { payloads[$0].drop.size > Syncing.fewBytes }
    let checked = await concurrentMap(checking.map { payloads[$0] }, isLong: isLong) { part in
      part.map { ContentReader(context: context).check($0) }
    }
    for (index, payload) in zip(checking, checked) { payloads[index] = payload }
  }

  /// Asks the configuration about a reject that is tried again.
  nonisolated(nonsending) private func configure(_ payload: inout ClaimedPayload) async {
    let answer: Delivery.Configured =
      switch await context.observer.configure(payload.drop) {
      case .nobody: .take(directory: nil)
      case .bound(.take(_, let destination)): .take(directory: destination)
      case .bound(.refuse(let reason)): .refuse(reason)
      case .bound(.stay(let reason)): .wait(reason)
      case .late: .wait("its configuration has not answered")
      }
    payload.receive(.configured(answer))
  }

  // MARK: - What an earlier process had in hand

  /// Looks at payloads one after the other, each noted in the ledger: if this process dies as well, it is known over
  /// which. Handlers are asked about them afterwards.
  nonisolated(nonsending) func runOneByOne(
    _ payloads: [ClaimedPayload], finish: ([ClaimedPayload], [ReceiptRecord]) async -> Void
  ) async {
    // Other zones have their turn in between.
    for first in stride(from: 0, to: payloads.count, by: 64) where !context.copies.isCancelled {
      let turn = await context.suspects.take(limit: Self.examinationTime)
      let (judged, receipts) = await examine(payloads[first..<min(first + 64, payloads.count)])
      await context.suspects.leave(turn)
      await finish(judged, receipts)
    }
  }

  nonisolated(nonsending) private func examine(
    _ payloads: ArraySlice<ClaimedPayload>
  ) async -> ([ClaimedPayload], [ReceiptRecord]) {
    var judged: [ClaimedPayload] = []
    var receipts: [ReceiptRecord] = []
    var previous: ClaimedPayload?
    for payload in payloads where !context.copies.isCancelled {
      // One commit says that this process lived through the one before, and that it may die on the next.
      var pair = (previous.map { [$0] } ?? []) + [payload]
      receipts += await runner.runOnce(&pair, in: .judge)
      if previous != nil { judged.append(pair.removeFirst()) }
      var next = pair
      await check(&next, Array(next.indices))
      previous = next.first
    }
    if let previous { judged.append(previous) }
    let (rest, more) = await run(judged)
    return (rest, receipts + more)
  }
}

/// Reads what one payload in the hold is.
struct ContentReader: Sendable {
  let context: FlowContext

  /// Types the payload and, where it is wanted, computes its digest.
  func check(_ payload: ClaimedPayload) -> ClaimedPayload {
    var payload = payload
    do throws(FileError) {
      let content = try content(of: &payload)
      payload.receive(.checked(content))
    } catch {
      payload.receive(.failed(.init(held: payload.drop, error)))
    }
    // A payload that queues for its handler holds nothing open.
    if payload.delivery.stage == .handler { payload.closeFiles() }
    return payload
  }

  private func content(of payload: inout ClaimedPayload) throws(FileError) -> Delivery.Content {
    let file = if let open = payload.file { open } else { try payload.drop.openHeld().file }
    payload.file = file
    let status = payload.delivery.isJustClaimed ? nil : try file.status()
    let (name, size) = (payload.drop.location.lastComponent, status?.size ?? payload.drop.size)
    var whole: [UInt8]?
    let typed: TypedContent
    if let known = payload.typed { typed = known } else { (typed, whole) = try type(file, size, name) }
    // Only the check right after the claim is of the bytes that were typed before it.
    payload.typed = nil
    let digest = try context.settings.delivery.digest.isWanted(ofBytes: size) ? self.digest(file, whole) : nil
    return Delivery.Content(
      status: status, typed: typed, sha256: digest,
      typeMatches: context.plan.takes(typed, name: name, by: context.typer),
      isForeignLink: (status?.links ?? payload.drop.links) > 1 && isForeignLink(payload.drop, file))
  }

  private func type(
    _ file: OpenFile, _ size: Int64, _ name: RawPath
  ) throws(FileError) -> (TypedContent, [UInt8]?) {
    do throws(Errno) {
      return try context.typer.inspect(at: file.descriptor, size: size, name: name)
    } catch {
      throw FileError(error, .read, file.path)
    }
  }

  private func digest(_ file: OpenFile, _ whole: [UInt8]?) throws(FileError) -> String {
    guard let whole else { return try file.sha256(context.copies) }
    do throws(Errno) {
      return try Digest.sha256(of: whole)
    } catch {
      throw FileError(error, .read, file.path)
    }
  }

  /// Whether it is a hard link to somebody else's file, made by one who may not have been allowed to read it.
  private func isForeignLink(_ drop: Drop, _ file: OpenFile) -> Bool {
    guard drop.source == nil,
      let directory = try? Directory(drop.zonePath).directory(at: drop.location.parent).status(),
      let status = try? file.status()
    else { return false }
    if status.owner == directory.owner || directory.mode & 0o002 != 0 { return false }
    return !(directory.mode & 0o020 != 0 && isMember(user: status.owner, of: directory.group))
  }
}
