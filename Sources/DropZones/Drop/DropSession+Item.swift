package import DropEngine

extension DropSession {
  /// One staged payload.
  public struct Item: Identifiable, Hashable, Sendable {
    /// The same for as long as it is staged.
    public let id: ID
    /// Where it lies, relative to the zone.
    public let location: DropPath
    /// How many bytes are there so far.
    public let byteCount: Int64
    /// What its name says; nil where it says nothing.
    public let claimedType: ContentType?
    /// What its content is; nil until the first bytes are there.
    public let type: ContentType?
    /// How far the type is known.
    public let grade: ContentType.Grade
    /// What it waits for; nil when it is complete.
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

    /// Tells a staged payload from the others.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
      /// The same in `dropzone status`.
      public let description: String

      package init(_ description: String) {
        self.description = description
      }
    }
  }

  /// What a staged payload waits for; later releases may add more.
  public struct Waiting: Hashable, Sendable, CustomStringConvertible {
    /// The word that `dropzone status` has for it.
    public let description: String

    package init(_ waiting: DropEngine.Waiting) {
      description = waiting.rawValue
    }

    /// Its name, or that of a directory it lies in, is a temporary one.
    public static let temporaryName = Waiting(.temporaryName)
    /// It has no bytes yet.
    public static let empty = Waiting(.empty)
    /// It was written to a moment ago.
    public static let quiet = Waiting(.quiet)
    /// Somebody has it open for writing.
    public static let writer = Waiting(.writer)
    /// An action said so.
    public static let notYet = Waiting(.notYet)
    /// The zone is paused.
    public static let paused = Waiting(.paused)
    /// The box, the rejects or the handler is not to be had.
    public static let blocked = Waiting(.blocked)
    /// Something failed that may work the next time.
    public static let retry = Waiting(.retry)
    /// Nothing has come for a long time.
    public static let stalled = Waiting(.stalled)
    /// The daemon may not read it.
    public static let unreadable = Waiting(.unreadable)
    /// The daemon may not take it out of the zone.
    public static let cannotTake = Waiting(.cannotTake)
    /// It is a link, a pipe or the like, or lies too deep.
    public static let special = Waiting(.special)
  }
}
