import DropEngine
import DropSystem

/// What a flow's reports mean for its zone.
extension WatchedZone {
  /// Logs what an administrator must see to: once for each payload, and of a place once until no payload waits for it.
  func logTrouble(_ refusal: ClaimRefusal, in log: any FlowLog, location: () -> RawPath) {
    switch refusal.waiting {
    case .blocked where !load.isBlockLogged:
      load.isBlockLogged = true
      log.warning("blocked: \(refusal.detail)", zone: name, id: nil, location: nil)
    case .cannotTake:
      guard let payload = staging.released(refusal.key), payload.waiting != .cannotTake else { return }
      log.warning(refusal.detail, zone: name, id: payload.id, location: location())
    default: return
    }
  }

  /// Counts a receipt, and ends its part in the session.
  func finish(_ record: ReceiptRecord) {
    switch record.outcome {
    case .delivered, .taken: report.accepted += 1
    case .rejected, .failed: report.rejected += 1
    case .withdrawn, .undone: break
    }
    load.askedAgain.remove(record.id)
    if let outcome = record.sessionOutcome { sessions.finish(record.id, outcome) }
  }
}

extension ReceiptRecord {
  /// What it was for the session it was released in; nil for what is done after the end.
  fileprivate var sessionOutcome: SessionState.Outcome? {
    switch outcome {
    case .delivered: operation == .copy ? .copied : .moved
    case .taken: .moved
    case .rejected, .failed: .refused
    case .withdrawn: .withdrawn
    case .undone: nil
    }
  }
}
