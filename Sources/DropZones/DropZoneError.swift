/// Something that keeps zones from being opened or served.
public struct DropZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// In words, with the file or directory it is about.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
