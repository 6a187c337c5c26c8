public import DropZones
public import FoundationEssentials

extension ReceivedTransferredFile {
  /// The URL of the file.
  public var url: URL { URL(filePath: file) }
}

extension SentTransferredFile {
  /// Creates a sent file from a URL.
  ///
  /// - Parameter url: The URL of a file on this machine. It is read after the closure has returned, and stays where it is.
  public init(_ url: URL) {
    self.init(url.path)
  }
}
