import DropEngine
import DropSystem

/// Makes what was placed last: a batch in its place in, the batch with its receipts out.
///
/// Steps 6 and 7 of the table in `RecoverPhase`, and 9 to 11 of the second: directories synced, receipts committed, and
/// what the payloads came from removed. Batches that are placed at about the same time share all of it.
final class ReceiptStage {
  /// How long a few payloads wait for others. Nobody waits for these: they are in their places, and what comes next has
  /// the disk to itself in the meantime.
  private static let sharing = Duration.milliseconds(2)
  private static let few = 16

  private let context: FlowContext
  private let runner: StepRunner
  private var queue: [ClaimedPayload] = []
  private(set) var isRunning = false

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  var count: Int { queue.count }

  func append(_ payload: ClaimedPayload) {
    var payload = payload
    payload.file = nil
    payload.copy = nil
    queue.append(payload)
  }

  /// Performs steps until each queued payload has left this stage; `finish` gets each batch.
  nonisolated(nonsending) func run(
    _ load: () -> StepRunner.Load, finish: ([ClaimedPayload], [ReceiptRecord]) async -> Void
  ) async {
    isRunning = true
    while !queue.isEmpty {
      if queue.count < Self.few { _ = await context.time.sleep(for: Self.sharing) }
      var batch = queue
      queue = []
      let receipts = await runner.run(&batch, in: .receipts, load())
      await give(&batch)
      await finish(batch, receipts)
    }
    isRunning = false
  }

  /// Chooses names for originals that go back to the zone.
  nonisolated(nonsending) private func give(_ batch: inout [ClaimedPayload]) async {
    let files = runner.files
    while true {
      let returning = batch.indices.filter {
        if case .chooseReturnName = batch[$0].delivery.step { true } else { false }
      }
      if returning.isEmpty { return }
      for index in returning {
        let payload = batch[index]
        batch[index].receive(await offActor { files.chooseReturnName(payload) })
      }
      _ = await runner.run(&batch, in: .receipts)
    }
  }
}

extension PayloadFiles {
  /// A free name in the zone for an original that is in the hold.
  func chooseReturnName(_ payload: ClaimedPayload) -> Delivery.Event {
    guard case .chooseReturnName(let first) = payload.delivery.step else { return .stopped }
    let drop = payload.drop
    do throws(FileError) {
      let hold = try Directory(drop.holdPath, noFollow: true)
      guard let held = try hold.statusIfPresent(of: RawPath(drop.entry)),
        held.identity.matches(inode: drop.inode, birth: drop.birth)
      else { return .failed(.init(drop.isHoldThere ? .missing : .holdMissing)) }
      let parent = try makeOrigin(of: drop)
      for number in first..<(first + 1000) {
        // What is noted of a file that has the name is not to be forgotten for this one.
        if !parent.has(payload.delivery.returnName(number).lastComponent) { return .returnNameChosen(number) }
      }
      return .failed(.init(.exists, "no name is free for it"))
    } catch {
      return .failed(.init(.other, "\(error)"))
    }
  }
}
