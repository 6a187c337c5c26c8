/// What becomes of a payload, or what its source permits.
@nonexhaustive public enum DropOperation: String, Hashable, Sendable, Codable {
  /// It leaves the zone for the box.
  case move
  /// The box gets a copy; the original stays where it is.
  case copy
  /// It is not taken.
  case forbidden
  /// It was withdrawn by its sender, and nothing was taken.
  case cancel
}

extension DropOperation {
  /// Several operations.
  public struct Set: OptionSet, Hashable, Sendable {
    /// A bit for each operation.
    public let rawValue: Int

    /// The operations with these bits.
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
