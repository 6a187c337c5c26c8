/// What an action decided, and why.
///
/// A verdict is also an error, so that an import, or an action that returns a `Bool`, can throw it:
///
///     guard paper.isWhole else { throw DropVerdict.rejected("page 3 is torn") }
public struct DropVerdict: Error, Hashable, Sendable {
  package enum Decision: Hashable, Sendable {
    case accepted(name: String?, destination: DropConfiguration.Destination?, operation: DropOperation?)
    case rejected(String)
    case notYet(String, retryAfter: Duration?)
  }

  package let decision: Decision

  private init(_ decision: Decision) {
    self.decision = decision
  }

  /// Accepts the payload, and delivers it as the zone and its configuration say.
  public static let accepted = DropVerdict.accepted()

  /// Accepts the payload, with a name or destination that the action chooses.
  ///
  /// - Parameters:
  ///   - name: The name in the box, which is a single component. The default is the sender's name.
  ///   - destination: The directory below the box. The default is the payload's directory in the zone.
  ///   - operation: Move or copy. The default is the configuration's operation.
  public static func accepted(
    as name: String? = nil, in destination: DropConfiguration.Destination? = nil, operation: DropOperation? = nil
  ) -> DropVerdict {
    DropVerdict(.accepted(name: name, destination: destination, operation: operation))
  }

  /// Refuses the payload, which goes to the rejects with the reason beside it.
  public static func rejected(_ reason: String) -> DropVerdict {
    DropVerdict(.rejected(reason))
  }

  /// Puts the payload back into the zone, and asks again at its next change or after some time.
  ///
  /// - Parameters:
  ///   - reason: What the payload is waiting for.
  ///   - retryAfter: When to ask again. The default is one second at first, and twice as long each time.
  public static func notYet(_ reason: String, retryAfter: Duration? = nil) -> DropVerdict {
    DropVerdict(.notYet(reason, retryAfter: retryAfter))
  }
}
