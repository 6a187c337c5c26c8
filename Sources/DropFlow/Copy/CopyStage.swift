import DropEngine
import DropSystem

/// Copies payloads to another file system: one payload in, the same with its copy named out.
///
/// Steps 5 to 8 of the second table in `RecoverPhase`. A few are copied side by side. Where a later file replaces an
/// earlier one they come in their order.
final class CopyStage {
  private static let limit = 4
  /// Longer files never take all places: holes make a file of any length, and hashing it takes days.
  private static let long: Int64 = 1 << 30

  private let context: FlowContext
  private let runner: StepRunner
  private var queue = Queue<ClaimedPayload>()
  private var longQueue = Queue<ClaimedPayload>()
  /// The copies under way, and whether each is long.
  private var running: [DropID: Bool] = [:]

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  var count: Int { queue.count + longQueue.count }
  var isIdle: Bool { count == 0 && running.isEmpty }

  func append(_ payload: ClaimedPayload) {
    if payload.drop.size > Self.long, context.settings.delivery.collision != .replace {
      longQueue.append(payload)
    } else {
      queue.append(payload)
    }
  }

  /// The next payload to be copied, if there is a place for it; `run` is to be called with it.
  func next() -> ClaimedPayload? {
    let limit = context.settings.delivery.collision == .replace ? 1 : Self.limit
    guard running.count < limit else { return nil }
    let longOnes = running.values.count { $0 }
    var next: ClaimedPayload?
    if longOnes == 0 || queue.isEmpty, longOnes < Self.limit - 1 { next = longQueue.popFirst() }
    guard let payload = next ?? queue.popFirst() else { return nil }
    running[payload.id] = payload.drop.size > Self.long
    return payload
  }

  /// Performs steps until the payload has left this stage.
  nonisolated(nonsending) func run(_ payload: ClaimedPayload) async -> (ClaimedPayload, [ReceiptRecord]) {
    var payloads = [payload]
    var receipts: [ReceiptRecord] = []
    while payloads[0].delivery.stage == .copy {
      receipts += await runner.run(&payloads, in: .copy)
      guard payloads[0].delivery.stage == .copy else { break }
      await perform(&payloads[0])
    }
    running[payload.id] = nil
    context.reservations.release(payload.id)
    return (payloads[0], receipts)
  }

  nonisolated(nonsending) private func perform(_ payload: inout ClaimedPayload) async {
    switch payload.delivery.step {
    case .copy: await copy(&payload)
    case .inspect:
      let (held, context) = (payload, context)
      payload.receive(await offActor { HeldInspection(context: context).inspect(held.drop) })
    case .chooseForCopy(let first): chooseNext(&payload, from: first)
    default: payload.receive(.stopped)
    }
  }

  nonisolated(nonsending) private func copy(_ payload: inout ClaimedPayload) async {
    let (before, copier) = (payload, PayloadCopier(context: context))
    payload = await offActor { copier.copy(before) }
    if context.copies.isCancelled, payload.delivery.stage != .copy || payload.copy == nil { payload.receive(.stopped) }
  }

  private func chooseNext(_ payload: inout ClaimedPayload, from first: Int) {
    var destinations = OpenDestinations(isDurable: context.isDurable)
    do {
      let path = payload.drop.destinationRoot ?? payload.delivery.rootPath
      let root = try destinations.root(path, wasMountPoint: context.mountPoints.contains(path))
      if payload.folder == nil {
        payload.folder = try destinations.folder(payload.drop.destinationDirectory, in: root)
      }
      payload.receive(NameChoice(context: context, root: root).chooseForCopy(&payload, from: first))
    } catch let error as PlaceError {
      payload.receive(.failed(.init(.other, error.message)))
    } catch {
      payload.receive(.failed(.init(.other, "\(error)")))
    }
  }
}
