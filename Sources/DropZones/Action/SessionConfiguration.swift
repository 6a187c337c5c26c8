import DropEngine
import DropFlow

/// Lets the flow call a zone's `dropConfiguration`.
struct SessionConfiguration: LiveConfiguration {
  let configuration: @Sendable (DropSession) -> DropConfiguration
  let declaredTypes: [ContentType]

  func asking(in view: SessionView) -> (RawPath, Set<LiveOperation>) -> LiveVerdict {
    // There may be many items, so make the session once for all payloads that are asked about together.
    let session = DropSession(view, declared: declaredTypes)
    let configuration = configuration
    return { location, operations in
      configuration(session.at(DropPath(location), DropOperation.Set(operations))).verdict
    }
  }
}

extension DropConfiguration {
  fileprivate var verdict: LiveVerdict {
    // An empty path means the box itself.
    let path = destination?.path.raw
    return LiveVerdict(
      operation: LiveOperation(operation), destination: path?.isEmpty == false ? path : nil,
      position: destination?.position, acceptedCount: acceptedItemCount,
      reason: reason.flatMap { HandlerAnswer.reason(Array($0.utf8)) })
  }
}

extension LiveOperation {
  fileprivate init(_ operation: DropOperation) {
    switch operation {
    case .move: self = .move
    case .copy: self = .copy
    case .forbidden: self = .forbidden
    case .cancel: self = .cancel
    }
  }
}
