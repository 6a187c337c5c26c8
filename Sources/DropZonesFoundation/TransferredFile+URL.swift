public import DropZones
public import FoundationEssentials

extension ReceivedTransferredFile {
  /// Where it is.
  public var url: URL { URL(filePath: file) }
}

extension SentTransferredFile {
  /// - Parameter url: A file of this machine. It is read after the closure has returned, and left where it is.
  public init(_ url: URL) {
    self.init(url.path)
  }
}
