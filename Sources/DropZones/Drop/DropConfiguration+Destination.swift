extension DropConfiguration {
  /// A directory below the box.
  public struct Destination: Hashable, Sendable {
    /// The path of the directory, relative to the box. The directory is created if it is missing.
    public let path: DropPath
    /// The position among the files there, from 0, in a box that keeps an order.
    public let position: Int?

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - path: The path of the directory, relative to the box. It must not lead out of the box.
    ///   - position: The position among the files there, from 0, in a box that keeps an order.
    public init(_ path: DropPath, position: Int? = nil) {
      self.path = path
      self.position = position
    }
  }
}

extension DropConfiguration.Destination: ExpressibleByStringLiteral {
  /// Creates a destination from a path relative to the box.
  public init(stringLiteral value: String) {
    self.init(DropPath(value))
  }
}
