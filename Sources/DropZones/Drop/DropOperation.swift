/// What happens to a payload, or what its source permits.
@nonexhaustive public enum DropOperation: String, Hashable, Sendable, Codable {
  /// The payload moves from the zone into the box.
  case move
  /// The box gets a copy, and the original stays in the zone.
  case copy
  /// The payload is not taken.
  case forbidden
  /// The sender withdrew the payload, and nothing was taken.
  case cancel
}

extension DropOperation {
  /// A set of operations.
  public struct Set: OptionSet, Hashable, Sendable {
    /// A bit for each operation.
    public let rawValue: Int

    /// Creates a set of the operations with these bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// `DropOperation.move`.
    public static let move = Set(rawValue: 1 << 0)
    /// `DropOperation.copy`.
    public static let copy = Set(rawValue: 1 << 1)
    /// `DropOperation.forbidden`.
    public static let forbidden = Set(rawValue: 1 << 2)
    /// `DropOperation.cancel`.
    public static let cancel = Set(rawValue: 1 << 3)
  }
}
