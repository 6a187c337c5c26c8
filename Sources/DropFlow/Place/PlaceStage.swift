import DropEngine
import DropSystem

/// Gives decided payloads their names: a batch with verdicts in, the batch renamed into the box or the rejects out.
///
/// Steps 4 and 5 of the table in `RecoverPhase`. What has to be copied, waits or turns out to be different leaves the
/// batch with another stage ahead of it.
final class PlaceStage {
  private let context: FlowContext
  private let runner: StepRunner

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  /// Performs steps until each payload has left this stage, or is to be compared with files in the box.
  ///
  /// - Parameter shut: Places that others wait for already, and why.
  nonisolated(nonsending) func run(
    _ batch: [ClaimedPayload], shut: [String: String], _ load: StepRunner.Load
  ) async -> (payloads: [ClaimedPayload], receipts: [ReceiptRecord]) {
    var payloads = batch
    var receipts: [ReceiptRecord] = []
    var destinations = OpenDestinations(isDurable: context.isDurable)
    while true {
      receipts += await runner.run(&payloads, in: .place, load)
      let choosing = payloads.indices.filter {
        if case .choose = payloads[$0].delivery.step { true } else { false }
      }
      if choosing.isEmpty { return (payloads, receipts) }
      await choose(&payloads, choosing, &destinations, shut)
    }
  }

  /// Looks at each payload once more, and chooses its directory and name.
  nonisolated(nonsending) private func choose(
    _ payloads: inout [ClaimedPayload], _ indices: [Int], _ destinations: inout OpenDestinations,
    _ shut: [String: String]
  ) async {
    let context = context
    let inspected = await concurrentMap(indices.map { payloads[$0] }) { part in
      PlaceInspection(context: context).inspect(part)
    }
    for (index, (payload, result)) in zip(indices, inspected) {
      payloads[index] = payload
      let event = choose(&payloads[index], result, &destinations, shut)
      payloads[index].receive(event)
    }
  }

  private func choose(
    _ payload: inout ClaimedPayload, _ inspection: Result<PlaceInspection.Finding, Delivery.Failure>,
    _ destinations: inout OpenDestinations, _ shut: [String: String]
  ) -> Delivery.Event {
    let path = payload.delivery.rootPath
    if let reason = shut[path] { return .failed(.init(.other, reason)) }
    do {
      let isMount = context.mountPoints.contains(path)
      if !payload.drop.isAccepted, !isMount { try Place.make(path, like: payload.drop.boxPath) }
      let root = try destinations.root(path, wasMountPoint: isMount)
      switch inspection {
      case .failure(let failure): return .failed(failure)
      case .success(.changed(let status, let message)): return .changedSinceJudged(status, message)
      case .success(.hasWriter): return .hasWriter
      case .success(.asJudged(let status)): payload.status = status
      }
      payload.hold = try destinations.hold(payload.drop.holdPath)
      return try NameChoice(context: context, root: root).choose(&payload, &destinations)
    } catch let error as PlaceError {
      return .failed(.init(.other, error.message))
    } catch let error as FileError {
      return .failed(.init(held: payload.drop, error))
    } catch {
      return .failed(.init(.other, "\(error)"))
    }
  }
}

/// The last look at payloads before their names are chosen.
struct PlaceInspection: Sendable {
  let context: FlowContext

  enum Finding: Sendable {
    case asJudged(FileStatus)
    /// The verdict was on other bytes.
    case changed(FileStatus, String)
    /// Bytes may still come.
    case hasWriter
  }

  /// Opens what is not open; holds are opened once for all payloads that lie in them.
  func inspect(
    _ payloads: ArraySlice<ClaimedPayload>
  ) -> [(ClaimedPayload, Result<Finding, Delivery.Failure>)] {
    var holds: [String: Directory] = [:]
    return payloads.map { payload in
      var payload = payload
      do throws(FileError) {
        let finding = try inspect(&payload, &holds)
        return (payload, .success(finding))
      } catch {
        return (payload, .failure(.init(held: payload.drop, error)))
      }
    }
  }

  private func inspect(
    _ payload: inout ClaimedPayload, _ holds: inout [String: Directory]
  ) throws(FileError) -> Finding {
    let drop = payload.drop
    let file = if let open = payload.file { open } else { try drop.openHeld().file }
    payload.file = file
    // A verdict that an earlier process committed stands.
    guard drop.isAccepted, drop.state == .claiming else { return .asJudged(try file.status()) }
    let hold = if let open = holds[drop.holdPath] { open } else { try Directory(drop.holdPath, noFollow: true) }
    holds[drop.holdPath] = hold
    let isWritten = drop.evidence.usesLease && file.hasWriter()
    let held = try hold.status(of: RawPath(drop.entry))
    if isWritten { return .hasWriter }
    if !held.identity.matches(inode: drop.inode, birth: drop.birth) {
      return .changed(held, "replaced during judgement")
    }
    let isSame =
      held.size == drop.size && held.modified == drop.modified
      && (held.changed == drop.changed || held.links != drop.links)
    return isSame ? .asJudged(held) : .changed(held, "changed during judgement")
  }
}
