extension DropConfiguration {
  /// A place below the box.
  public struct Destination: Hashable, Sendable {
    /// The directory, relative to the box; made when it is missing.
    public let path: DropPath
    /// The place among what lies there, from 0, in a box that keeps an order.
    public let position: Int?

    /// - Parameters:
    ///   - path: The directory, relative to the box; it may not lead out of it.
    ///   - position: The place among what lies there, from 0, in a box that keeps an order.
    public init(_ path: DropPath, position: Int? = nil) {
      self.path = path
      self.position = position
    }
  }
}

extension DropConfiguration.Destination: ExpressibleByStringLiteral {
  /// A directory, relative to the box.
  public init(stringLiteral value: String) {
    self.init(DropPath(value))
  }
}
