extension Delivery {
  /// Who performs the next step.
  package enum Stage: Hashable, Sendable {
    case claim, judge, handler, place, copy, receipts, giveBack, recovery
    /// It waits for something.
    case waiting
    /// Nothing more is to be done in this process.
    case end
  }

  package var stage: Stage {
    if case .wait = step { return .waiting }
    if isEnded { return .end }
    switch phase {
    case .claim: return .claim
    case .judge: return .judge
    case .ask: return .handler
    case .place(.syncingHold), .place(.syncingDestination), .place(.committingReceipt): return .receipts
    case .place(.syncingEmptyHold), .place(.syncingEmptyOrigin): return .receipts
    case .place: return .place
    case .copy(.syncingDestination), .copy(.committingReceipt): return .receipts
    case .copy: return .copy
    case .close: return .receipts
    case .giveBack, .undo: return .giveBack
    case .recover: return .recovery
    case .ended: return .end
    }
  }
}

extension Delivery.Step {
  /// Steps that are performed together, whichever payload they are of.
  package enum Kind: Hashable, Sendable, CaseIterable {
    case sync, remove, writeReason, rename, syncDirectory, commit
  }

  /// Nil: a step that its stage performs in its own way.
  package var kind: Kind? {
    switch self {
    case .sync: .sync
    case .remove: .remove
    case .writeReason: .writeReason
    case .rename: .rename
    case .syncDirectory: .syncDirectory
    case .commit: .commit
    default: nil
    }
  }
}

extension Delivery {
  /// Whether a directory that is gone needs no sync: what was in it went with it, and the payload is safe elsewhere.
  package func toleratesMissing(_ name: Name) -> Bool {
    switch phase {
    case .close: name == .hold || name == .origin || name == .oldReason
    case .recover: true
    default: false
    }
  }
}

extension Delivery.Step {
  /// Whether a name is being chosen for the payload itself, not for a copy that has been made of it.
  package var isChoosingForRename: Bool {
    if case .choose = self { true } else { false }
  }
}
