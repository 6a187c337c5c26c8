/// A file that a value is read from.
public struct ReceivedTransferredFile: Hashable, Sendable {
  /// Its path.
  public let file: String
  /// Whether it stays with its sender, and so is not to be changed; false where it is the receiver's to keep.
  public let isOriginalFile: Bool

  /// - Parameters:
  ///   - file: Its path.
  ///   - isOriginalFile: Whether it stays with its sender.
  public init(file: String, isOriginalFile: Bool) {
    self.file = file
    self.isOriginalFile = isOriginalFile
  }
}

/// A file that a value was written to.
public struct SentTransferredFile: Hashable, Sendable {
  let file: String

  /// - Parameter file: Its path. It is read after the closure has returned, and left where it is.
  public init(_ file: String) {
    self.file = file
  }
}
