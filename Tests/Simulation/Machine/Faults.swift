import DropEngine

/// Calls that fail: what an operator, a full disk or a broken one does to the steps of a delivery.
struct Faults {
  struct Fault: Hashable {
    var step: StepKind
    var error: CallError
    /// How often it still happens; nil: for ever.
    var count: Int?
  }

  private(set) var all: [Fault] = []
  /// Whether something could not be removed, or its removal not be synced: a power cut may leave a temporary file.
  private(set) var hasFailedToTidy = false

  mutating func add(_ step: StepKind, _ error: CallError, count: Int?) {
    all.append(Fault(step: step, error: error, count: count))
  }

  mutating func removeAll() { all = [] }

  /// The error that the next step of this kind meets.
  mutating func next(for step: StepKind) -> CallError? {
    guard !all.isEmpty, let index = all.firstIndex(where: { $0.step == step }) else { return nil }
    let error = all[index].error
    if step == .remove || step == .syncDirectory { hasFailedToTidy = true }
    if let count = all[index].count {
      if count <= 1 { all.remove(at: index) } else { all[index].count = count - 1 }
    }
    return error
  }
}

/// The kinds of steps, as scripts name them.
package enum StepKind: String, Hashable, Sendable, CaseIterable {
  case sync, syncDirectory, commit, rename, copy, remove, writeReason, check, inspect, choose, compare, find, ask
  case other

  init(_ step: Delivery.Step) {
    self =
      switch step {
      case .sync: .sync
      case .syncDirectory: .syncDirectory
      case .commit: .commit
      case .rename: .rename
      case .copy: .copy
      case .remove: .remove
      case .writeReason: .writeReason
      case .check: .check
      case .inspect: .inspect
      case .choose, .chooseForCopy, .chooseReturnName: .choose
      case .compare: .compare
      case .findNames: .find
      case .ask: .ask
      default: .other
      }
  }
}

extension CallError {
  /// Every error number that a step may meet, by its usual name.
  package static let known: [(name: String, error: CallError)] = [
    ("EPERM", .notPermitted), ("ENOENT", .noEntry), ("EIO", .io), ("EACCES", .access), ("EBUSY", .busy),
    ("EEXIST", .exists), ("EXDEV", .crossDevice), ("EINVAL", .invalid), ("EFBIG", .tooLarge), ("ENOSPC", .noSpace),
    ("EROFS", .readOnly), ("ENAMETOOLONG", .nameTooLong), ("ENOTCONN", .notConnected), ("ESTALE", .stale),
    ("EDQUOT", .quota), ("EAGAIN", CallError(11)), ("ENOMEM", CallError(12)), ("EMFILE", CallError(24)),
    ("ETXTBSY", CallError(26)), ("EILSEQ", CallError(84)), ("EOPNOTSUPP", CallError(95)),
  ]

  package var name: String { Self.known.first { $0.error == self }?.name ?? "\(number)" }
}

extension Delivery.Failure {
  /// What an error number means, as `Sources/DropFlow/Flow/Failure.swift` has it.
  init(_ error: CallError) {
    let kind: Kind =
      switch error {
      case .noEntry, .notDirectory: .missing
      case .exists: .exists
      case .crossDevice: .otherFileSystem
      case CallError(95): .unsupported
      case .access: .accessDenied
      case .notPermitted: .notPermitted
      case .nameTooLong: .nameTooLong
      case .invalid, CallError(84): .nameRefused
      case .noSpace, .quota: .noRoom
      case .tooLarge: .tooLarge
      case .readOnly: .readOnly
      case CallError(11): .changed
      default: .other
      }
    self.init(kind)
  }
}
