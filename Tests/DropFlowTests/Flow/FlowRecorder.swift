import DropEngine
import DropSystem
import Synchronization

@testable import DropFlow

/// A flow's observer and log that keep what they are told.
final class FlowRecorder: FlowObserver, FlowLog {
  struct Told: Sendable {
    var claimed: [PayloadKey] = []
    var refusals: [ClaimRefusal] = []
    var returns: [(identity: FileIdentity, origin: StagedPayload.Origin)] = []
    var inHand = 0
    var blocked: String?
    var records: [ReceiptRecord] = []
    var notes: [CopiedOriginal] = []
    var copied: [CopiedOriginal] = []
    var notComing: [RawPath] = []
    var settled: [DropID] = []
    var errors: [LedgerError] = []
    var excluded: Set<FileIdentity> = []
    var warnings: [String] = []
    /// What the zone's configuration says.
    var reply = LiveReply.nobody
  }

  private struct Waiter {
    var isReached: @Sendable (Told) -> Bool
    var continuation: CheckedContinuation<Told, Never>
  }

  private let state = Mutex<(told: Told, waiters: [Waiter])>((Told(), []))

  var told: Told { state.withLock { $0.told } }

  /// What was told once that is what a test waits for; the suite's time limit ends a wait that is in vain.
  func told(where isReached: @escaping @Sendable (Told) -> Bool) async -> Told {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if isReached(state.told) { return continuation.resume(returning: state.told) }
        state.waiters.append(Waiter(isReached: isReached, continuation: continuation))
      }
    }
  }

  func reply(_ reply: LiveReply) { change { $0.reply = reply } }

  private func change(_ body: (inout Told) -> Void) {
    state.withLock { state in
      body(&state.told)
      let told = state.told
      state.waiters.removeAll { waiter in
        guard waiter.isReached(told) else { return false }
        waiter.continuation.resume(returning: told)
        return true
      }
    }
  }

  func claimed(_ keys: [PayloadKey]) { change { $0.claimed += keys } }
  func notClaimed(_ refusals: [ClaimRefusal]) { change { $0.refusals += refusals } }
  func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin) async {
    change { $0.returns.append((identity, origin)) }
  }
  func handChanged(_ inHand: Int, blocked: String?) { change { ($0.inHand, $0.blocked) = (inHand, blocked) } }
  func finished(_ records: [ReceiptRecord]) { change { $0.records += records } }
  func noted(_ notes: [CopiedOriginal]) async { change { $0.notes += notes } }
  func copied(_ notes: [CopiedOriginal]) async { change { $0.copied += notes } }
  func notComing(_ id: DropID, at location: RawPath) async { change { $0.notComing.append(location) } }
  func configure(_ drop: Drop) async -> LiveReply { told.reply }
  func settled(_ id: DropID) async { change { $0.settled.append(id) } }
  func ledgerFailed(_ error: LedgerError) { change { $0.errors.append(error) } }
  func exclude(_ identity: FileIdentity) async { change { $0.excluded.insert(identity) } }
  func notice(_ message: String, zone: String, id: DropID?, location: RawPath?) {}
  func warning(_ message: String, zone: String, id: DropID?, location: RawPath?) {
    change { $0.warnings.append(message) }
  }
}
