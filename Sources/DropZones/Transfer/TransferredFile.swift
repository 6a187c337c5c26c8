/// A file that a value is read from.
public struct ReceivedTransferredFile: Hashable, Sendable {
  /// The path of the file.
  public let file: String
  /// Whether the file stays with its sender, and must not be changed. If false, the receiver may keep it.
  public let isOriginalFile: Bool

  /// Creates a received file.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - isOriginalFile: Whether the file stays with its sender.
  public init(file: String, isOriginalFile: Bool) {
    self.file = file
    self.isOriginalFile = isOriginalFile
  }
}

/// A file that a value was written to.
public struct SentTransferredFile: Hashable, Sendable {
  let file: String

  /// Creates a sent file.
  ///
  /// - Parameter file: The path of the file. It is read after the closure has returned, and stays where it is.
  public init(_ file: String) {
    self.file = file
  }
}
