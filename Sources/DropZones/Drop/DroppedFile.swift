internal import DropSystem

/// A dropped file or directory that is not read as a value; every zone can take it.
public struct DroppedFile: Identifiable, Hashable, Sendable {
  /// The id of the drop, which is the same at every attempt, also after a restart.
  public let id: ID
  /// The path at which the sender put it, relative to the zone; this includes its name.
  public let location: DropPath
  /// The path at which it is until the action has answered, where its sender cannot reach it.
  public let file: String
  /// The size in bytes.
  public let byteCount: Int64
  /// The type of the content.
  public let type: ContentType
  /// The type that the name claims; nil if it claims none.
  public let claimedType: ContentType?
  /// How certain the type is.
  public let grade: ContentType.Grade
  /// The number of this attempt, from 1.
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

  /// Reads the whole file.
  ///
  /// - Parameter limit: The maximum number of bytes to read into memory.
  /// - Throws: `DropZoneError`, with the code `tooLarge` if the file is larger.
  public func contents(upTo limit: Int) throws -> [UInt8] {
    try FileContents.bytes(of: file, upTo: limit)
  }

  /// The identity of a drop.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The id as in receipts and the journal, and as `DROP_ID` for commands.
    public let description: String

    package init(_ description: String) {
      self.description = description
    }
  }
}
