/// One zone or several: a `DropZone`, an array of them, or a type of your own made of them.
public protocol Zones: Sendable {
  /// What its zones are declared with.
  associatedtype Body: Zones

  /// The zones it stands for.
  @ZonesBuilder var body: Body { get }
}

extension Array: Zones where Element == DropZone {
  /// The zones themselves.
  public var body: [DropZone] { self }
}

/// Several zones declared one under another, with `if`, `switch` and `for` between them.
@resultBuilder public enum ZonesBuilder {
  /// A zone, several, or a type made of them.
  public static func buildExpression(_ zones: some Zones) -> [DropZone] {
    flatten(zones)
  }

  /// One after another.
  public static func buildBlock(_ first: [DropZone], _ others: [DropZone]...) -> [DropZone] {
    first + others.flatMap { $0 }
  }

  /// `if` without `else`.
  public static func buildOptional(_ zones: [DropZone]?) -> [DropZone] {
    zones ?? []
  }

  /// The first branch.
  public static func buildEither(first zones: [DropZone]) -> [DropZone] {
    zones
  }

  /// The other branch.
  public static func buildEither(second zones: [DropZone]) -> [DropZone] {
    zones
  }

  /// `for`.
  public static func buildArray(_ zones: [[DropZone]]) -> [DropZone] {
    zones.flatMap { $0 }
  }

  /// `if #available`.
  public static func buildLimitedAvailability(_ zones: [DropZone]) -> [DropZone] {
    zones
  }

  /// A zone is what it stands for; everything else is taken apart until zones are left.
  private static func flatten(_ zones: some Zones) -> [DropZone] {
    if let zone = zones as? DropZone { return [zone] }
    if let zones = zones as? [DropZone] { return zones }
    return flatten(zones.body)
  }
}
