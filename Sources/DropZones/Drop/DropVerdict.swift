/// What an action decided, and why.
///
/// Also an error, so that an action that answers with `Bool`, or an import, can throw it:
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

  /// Taken, as the zone and its configuration say.
  public static let accepted = DropVerdict.accepted()

  /// Taken, into a place or under a name of the action's choice.
  ///
  /// - Parameters:
  ///   - name: Its name in the box, one component; the sender's unless said.
  ///   - destination: A place below the box; where the sender put it in the zone unless said.
  ///   - operation: Move or copy; the configuration's unless said.
  public static func accepted(
    as name: String? = nil, in destination: DropConfiguration.Destination? = nil, operation: DropOperation? = nil
  ) -> DropVerdict {
    DropVerdict(.accepted(name: name, destination: destination, operation: operation))
  }

  /// Refused: it goes to the rejects, with the reason beside it.
  public static func rejected(_ reason: String) -> DropVerdict {
    DropVerdict(.rejected(reason))
  }

  /// Put back into the zone, and asked again at its next change or after a while.
  ///
  /// - Parameters:
  ///   - reason: What it waits for.
  ///   - retryAfter: When to ask again; after one second, then twice as long each time, unless said.
  public static func notYet(_ reason: String, retryAfter: Duration? = nil) -> DropVerdict {
    DropVerdict(.notYet(reason, retryAfter: retryAfter))
  }
}
