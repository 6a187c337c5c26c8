/// One or more zones: a `DropZone`, an array of them, or your own type that consists of zones.
public protocol Zones: Sendable {
  /// The type of `body`.
  associatedtype Body: Zones

  /// The zones that it consists of.
  @ZonesBuilder var body: Body { get }
}

extension Array: Zones where Element == DropZone {
  /// The zones themselves.
  public var body: [DropZone] { self }
}

/// Builds zones from declarations, which may contain `if`, `switch` and `for`.
@resultBuilder public enum ZonesBuilder {
  /// Converts a zone, several zones, or a type that consists of zones.
  public static func buildExpression(_ zones: some Zones) -> [DropZone] {
    flatten(zones)
  }

  /// Combines declarations.
  public static func buildBlock(_ first: [DropZone], _ others: [DropZone]...) -> [DropZone] {
    first + others.flatMap { $0 }
  }

  /// Supports `if` without `else`.
  public static func buildOptional(_ zones: [DropZone]?) -> [DropZone] {
    zones ?? []
  }

  /// Supports the first branch of `if` and `switch`.
  public static func buildEither(first zones: [DropZone]) -> [DropZone] {
    zones
  }

  /// Supports the other branches of `if` and `switch`.
  public static func buildEither(second zones: [DropZone]) -> [DropZone] {
    zones
  }

  /// Supports `for`.
  public static func buildArray(_ zones: [[DropZone]]) -> [DropZone] {
    zones.flatMap { $0 }
  }

  /// Supports `if #available`.
  public static func buildLimitedAvailability(_ zones: [DropZone]) -> [DropZone] {
    zones
  }

  /// Expands types that consist of zones until only zones are left.
  private static func flatten(_ zones: some Zones) -> [DropZone] {
    if let zone = zones as? DropZone { return [zone] }
    if let zones = zones as? [DropZone] { return zones }
    return flatten(zones.body)
  }
}
