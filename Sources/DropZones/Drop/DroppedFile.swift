internal import DropSystem

/// A dropped file or directory as it is, untyped; it is taken by every zone.
public struct DroppedFile: Identifiable, Hashable, Sendable {
  /// The same at every attempt, also after a restart.
  public let id: ID
  /// Where the sender put it, relative to the zone, and so its name.
  public let location: DropPath
  /// Where it lies now, out of its sender's reach, until the action has answered.
  public let file: String
  /// How many bytes it has.
  public let byteCount: Int64
  /// What its content is.
  public let type: ContentType
  /// What its name says; nil where it says nothing.
  public let claimedType: ContentType?
  /// How far the type is known.
  public let grade: ContentType.Grade
  /// How often an action was asked about it, this time included.
  public let attempt: Int

  package init(
    id: ID, location: DropPath, file: String, byteCount: Int64, type: ContentType, claimedType: ContentType? = nil,
    grade: ContentType.Grade = .proved, attempt: Int = 1
  ) {
    self.id = id
    self.location = location
    self.file = file
    self.byteCount = byteCount
    self.type = type
    self.claimedType = claimedType
    self.grade = grade
    self.attempt = attempt
  }

  /// Reads all of it.
  ///
  /// - Parameter limit: The most bytes to have in memory.
  /// - Throws: `DropZoneError`, with `tooLarge` when it has more.
  public func contents(upTo limit: Int) throws -> [UInt8] {
    try FileContents.bytes(of: file, upTo: limit)
  }

  /// Tells a drop from all others.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The same in receipts and in the journal, and `DROP_ID` for commands.
    public let description: String

    package init(_ description: String) {
      self.description = description
    }
  }
}
