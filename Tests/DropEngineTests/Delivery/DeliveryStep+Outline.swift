@testable import DropEngine

extension Delivery.Step {
  /// The step in a few words, so that a test can list the steps of a delivery.
  var outline: String {
    switch self {
    case .sync(let name): "sync \(name.text)"
    case .syncDirectory(let name): "sync directory of \(name.text)"
    case .commit(let changes): "commit " + changes.map(\.outline).joined(separator: " + ")
    case .rename(let old, let new, let replacing): "\(old.text) -> \(new.text)" + (replacing ? " (replacing)" : "")
    case .copy(let old, let new): "copy \(old.text) -> \(new.text)"
    case .remove(let name): "remove \(name.text)"
    case .writeReason: "write reason"
    case .check: "check"
    case .configure: "configure"
    case .awaitWorker: "await worker"
    case .ask: "ask"
    case .inspect: "inspect"
    case .choose(let number): "choose \(number)"
    case .chooseForCopy(let number): "choose for copy \(number)"
    case .compare(let number): "compare \(number)"
    case .chooseReturnName(let number): "choose return name \(number)"
    case .findNames: "find names"
    case .wait(let wait): "wait \(wait.waiting.rawValue)\(wait.cause.outline)"
    case .stay(let refusal): "stay \(refusal.waiting?.rawValue ?? "changed")"
    case .leftInZone(let count): "left in zone" + (count?.outline ?? "")
    case .refused: "refused"
    case .finished: "finished"
    case .parked: "parked"
    }
  }

  var message: String? {
    switch self {
    case .wait(let wait): wait.message
    case .stay(let refusal): refusal.detail
    case .refused(let message): message
    default: nil
    }
  }
}

extension Delivery.Name {
  var text: String {
    switch self {
    case .oldReason: "old reason"
    case .halfCopy: "half copy"
    default: rawValue
    }
  }
}

extension Delivery.Wait.Cause {
  fileprivate var outline: String {
    switch self {
    case .payload: ""
    case .place(let path): " for \(path)"
    case .sync(let path): " for sync of \(path)"
    case .handler: " for handler"
    case .ledger: " for ledger"
    }
  }
}

extension LedgerChange {
  fileprivate var outline: String {
    switch self {
    case .put(let row):
      row.state.rawValue + (row.attempts > 0 ? " attempt \(row.attempts)" : "")
        + (row.starts > 0 ? " starts \(row.starts)" : "")
    case .remove: "close"
    case .removeIfState(_, let state): "close if \(state.rawValue)"
    case .setStarts(let starts, _, _): "starts \(starts)"
    case .addReceipt(let record): "receipt \(record.outcome.rawValue)" + (record.code.map { " \($0.rawValue)" } ?? "")
    case .putAttempts: "count"
    case .removeAttempts: "forget count"
    case .putOriginal: "note"
    case .putCopiedOriginal: "note of copy"
    case .removeOriginal: "forget note"
    case .setMeta(let key, _): "set \(key)"
    case .setMountPoint(let path, _): "mount point \(path)"
    }
  }
}

extension AttemptCount {
  fileprivate var outline: String {
    (attempts > 0 ? ", attempts \(attempts)" : "") + (starts > 0 ? ", starts \(starts)" : "")
  }
}
