/// An error that prevented a zone from taking what was dropped on it.
public struct DropZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for callers to branch on.
  public let code: Code
  /// The file or directory that the error concerns, if there is one.
  public let path: String?
  /// The error number of the system call that failed, if one did.
  public let errno: Int32?
  /// A message that says what went wrong, including the path.
  public let description: String

  package init(_ code: Code, path: String? = nil, errno: Int32? = nil, _ description: String) {
    self.code = code
    self.path = path
    self.errno = errno
    self.description = description
  }

  /// Creates an error that prevents zones from being opened or served.
  init(_ description: String) {
    self.init(.notServed, description)
  }

  /// A kind of failure; later releases may add more kinds.
  public struct Code: Hashable, Sendable {
    private enum Value { case notServed, unreadable, unwritable, tooLarge, notImported, notExported }
    private let value: Value

    /// Zones could not be opened, or can no longer be served.
    public static let notServed = Code(value: .notServed)
    /// A file could not be read.
    public static let unreadable = Code(value: .unreadable)
    /// A file could not be written.
    public static let unwritable = Code(value: .unwritable)
    /// A file is larger than what may be read into memory.
    public static let tooLarge = Code(value: .tooLarge)
    /// No representation of the type can import the content.
    public static let notImported = Code(value: .notImported)
    /// No representation can export the value as the requested type.
    public static let notExported = Code(value: .notExported)
  }
}
