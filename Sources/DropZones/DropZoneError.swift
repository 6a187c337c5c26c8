/// Something that kept a zone from taking what was dropped on it.
public struct DropZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, to branch on.
  public let code: Code
  /// The file or directory it went wrong for, where it was one.
  public let path: String?
  /// The error number of the system call that failed, where one did.
  public let errno: Int32?
  /// What went wrong in words, with the path.
  public let description: String

  package init(_ code: Code, path: String? = nil, errno: Int32? = nil, _ description: String) {
    self.code = code
    self.path = path
    self.errno = errno
    self.description = description
  }

  /// What keeps zones from being opened or served.
  init(_ description: String) {
    self.init(.notServed, description)
  }

  /// A kind of failure; later releases may add more.
  public struct Code: Hashable, Sendable {
    private enum Value { case notServed, unreadable, unwritable, tooLarge, notImported, notExported }
    private let value: Value

    /// Zones could not be opened, or not be served any longer.
    public static let notServed = Code(value: .notServed)
    /// A file could not be read.
    public static let unreadable = Code(value: .unreadable)
    /// A file could not be written.
    public static let unwritable = Code(value: .unwritable)
    /// A file has more bytes than may be read into memory.
    public static let tooLarge = Code(value: .tooLarge)
    /// No representation of the type could be made of what is there.
    public static let notImported = Code(value: .notImported)
    /// No representation gives the value in the type that was asked for.
    public static let notExported = Code(value: .notExported)
  }
}
