package import DropEngine

extension DropSession {
  /// A staged payload.
  public struct Item: Identifiable, Hashable, Sendable {
    /// The id of the payload, which stays the same while it is staged.
    public let id: ID
    /// The path of the payload, relative to the zone.
    public let location: DropPath
    /// The number of bytes that have arrived so far.
    public let byteCount: Int64
    /// The type that the name claims; nil if it claims none.
    public let claimedType: ContentType?
    /// The type of the content; nil until the first bytes have arrived.
    public let type: ContentType?
    /// How certain the type is.
    public let grade: ContentType.Grade
    /// What the payload is waiting for; nil if it is complete.
    public let waiting: Waiting?

    package init(
      id: ID, location: DropPath, byteCount: Int64, claimedType: ContentType?, type: ContentType?,
      grade: ContentType.Grade, waiting: Waiting?
    ) {
      self.id = id
      self.location = location
      self.byteCount = byteCount
      self.claimedType = claimedType
      self.type = type
      self.grade = grade
      self.waiting = waiting
    }

    /// The identity of a staged payload.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
      /// The id as in `dropzone status`.
      public let description: String

      package init(_ description: String) {
        self.description = description
      }
    }
  }

  /// What a staged payload is waiting for; later releases may add more.
  public struct Waiting: Hashable, Sendable, CustomStringConvertible {
    /// The word that `dropzone status` uses.
    public let description: String

    package init(_ waiting: DropEngine.Waiting) {
      description = waiting.rawValue
    }

    /// Its name, or the name of a directory above it, is temporary.
    public static let temporaryName = Waiting(.temporaryName)
    /// It has no content yet.
    public static let empty = Waiting(.empty)
    /// It changed a moment ago.
    public static let quiet = Waiting(.quiet)
    /// A process has it open for writing.
    public static let writer = Waiting(.writer)
    /// An action answered "not yet".
    public static let notYet = Waiting(.notYet)
    /// The zone is paused.
    public static let paused = Waiting(.paused)
    /// The box, the rejects or the handler is unavailable.
    public static let blocked = Waiting(.blocked)
    /// Something failed, and will be tried again.
    public static let retry = Waiting(.retry)
    /// There has been no progress for a long time.
    public static let stalled = Waiting(.stalled)
    /// The daemon may not read it.
    public static let unreadable = Waiting(.unreadable)
    /// The daemon may not remove it from the zone.
    public static let cannotTake = Waiting(.cannotTake)
    /// It is a link, a pipe or something similar, or is too deep.
    public static let special = Waiting(.special)
  }
}
