import DropEngine

extension DropSession {
  /// Creates a session from the flow's view of it. `declared` are the types that only the program knows.
  init(_ view: SessionView, declared: [ContentType]) {
    self.init(
      id: ID(view.id.description), phase: Phase(view.phase), location: DropPath(view.location),
      items: view.items.map { Item($0, declared: declared) }, itemsCount: view.itemsCount, payloadBytes: view.bytes,
      size: Size(bytes: view.room.bytes, inodes: view.room.inodes),
      suggestedOperations: DropOperation.Set(view.suggestedOperations), localSession: nil)
  }

  /// Returns the session with the location and operations of another of its payloads.
  func at(_ location: DropPath?, _ operations: DropOperation.Set? = nil) -> DropSession {
    DropSession(
      id: id, phase: phase, location: location ?? self.location, items: items, itemsCount: itemsCount,
      payloadBytes: payloadBytes, size: size, suggestedOperations: operations ?? suggestedOperations,
      localSession: localSession)
  }
}

extension DropSession.Phase {
  fileprivate init(_ phase: SessionState.Phase) {
    switch phase {
    case .entering: self = .entering
    case .active: self = .active
    case .exiting: self = .exiting
    case .ended(let operation): self = .ended(DropOperation(operation))
    case .transferred: self = .dataTransferCompleted
    }
  }
}

extension DropSession.Item {
  fileprivate init(_ item: SessionView.Item, declared: [ContentType]) {
    let name = DropPath(item.location.lastComponent)
    let declaredType = item.type.map {
      DeclaredType(
        TypedContent(type: $0, claimedType: item.claimedType, grade: item.grade), name: name, among: declared)
    }
    self.init(
      id: ID(item.id.description), location: DropPath(item.location), byteCount: item.bytes,
      claimedType: declaredType == nil ? ContentType(claimedBy: name) : declaredType?.claimedType,
      type: declaredType?.type,
      grade: declaredType?.grade ?? .unproved,
      waiting: item.waiting.map { DropSession.Waiting($0) })
  }
}

extension DropOperation {
  init(_ operation: LiveOperation) {
    switch operation {
    case .move: self = .move
    case .copy: self = .copy
    case .forbidden: self = .forbidden
    case .cancel: self = .cancel
    }
  }
}

extension DropOperation.Set {
  init(_ operations: Swift.Set<LiveOperation>) {
    self.init()
    for operation in operations {
      switch operation {
      case .move: insert(.move)
      case .copy: insert(.copy)
      case .forbidden: insert(.forbidden)
      case .cancel: insert(.cancel)
      }
    }
  }
}
