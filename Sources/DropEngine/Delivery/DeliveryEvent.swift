extension Delivery {
  /// What came of a step.
  package enum Event: Sendable {
    /// The step is done, and there is nothing to say about it.
    case done
    /// The name that was renamed to has this file now; nil where it could not be looked at.
    case renamed(FileStatus?)
    /// The rename into the hold brought another file, or one that somebody opened for writing.
    case disturbed(FileStatus)
    case copied(Copy)
    case checked(Content)
    case configured(Configured)
    case workerFree
    case answered(HandlerOutcome, report: Receipt.HandlerReport?, retryAfter: Duration?)
    /// What the hold has of the payload; `nameIsFree` says whether its own name in the zone could be given back.
    case inspected(Held, nameIsFree: Bool)
    case chosen(Destination)
    /// The payload is not what was judged.
    case changedSinceJudged(FileStatus, String)
    /// Somebody has the payload open for writing.
    case hasWriter
    /// A file that is not to be replaced has the name.
    case duplicate
    /// Files that have the payload's names may have its bytes, from this number on.
    case mayBeIdentical(number: Int)
    /// The comparison is over: the file that has the payload's bytes, if one has.
    case compared(identical: RawPath?, sha256: String, others: Set<FileStatus>)
    case returnNameChosen(Int)
    case found(Found)
    case failed(Failure)
    /// The wait is over.
    case resumed
    /// The daemon stops.
    case stopped
  }

  /// A copy that was made.
  package struct Copy: Hashable, Sendable {
    package var status: FileStatus
    package var sha256: String?
    package var warnings: [String]

    package init(status: FileStatus, sha256: String? = nil, warnings: [String] = []) {
      self.status = status
      self.sha256 = sha256
      self.warnings = warnings
    }
  }

  /// What a payload in the hold was found to be.
  package struct Content: Hashable, Sendable {
    /// Nil right after the claim, when the row says it already.
    package var status: FileStatus?
    package var typed: TypedContent
    package var sha256: String?
    /// Whether the zone takes this type.
    package var typeMatches: Bool
    /// Whether it is another name of a file whose owner may not write where it was dropped.
    package var isForeignLink: Bool

    package init(
      status: FileStatus?, typed: TypedContent, sha256: String? = nil, typeMatches: Bool = true,
      isForeignLink: Bool = false
    ) {
      self.status = status
      self.typed = typed
      self.sha256 = sha256
      self.typeMatches = typeMatches
      self.isForeignLink = isForeignLink
    }
  }

  /// What a zone's configuration says of a reject that is tried again.
  package enum Configured: Hashable, Sendable {
    case take(directory: RawPath?)
    case refuse(String)
    case wait(String)
  }

  /// What became of a payload in the hold while a handler had its path.
  package enum Held: Hashable, Sendable {
    case same
    case gone
    case changed(FileStatus)
    /// It has another name in the hold.
    case renamed(entry: String, FileStatus, message: String)
    /// What is left of it in the hold is no file.
    case unusable(message: String)
  }

  /// A step that failed, and whose fault it is.
  package struct Failure: Error, Hashable, Sendable {
    package var kind: Kind
    /// The system's words.
    package var message: String

    package init(_ kind: Kind, _ message: String = "") {
      self.kind = kind
      self.message = message
    }
  }
}

extension Delivery.Failure {
  /// The same for a step that does not touch the payload: what is missing is the directory of its place.
  var ofPlace: Self { kind == .missing ? Self(.other, message) : self }

  /// Groups of error numbers that are answered alike.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no file of this name, or no longer.
    case missing
    /// The hold is not there: what is in it cannot be seen, and is not lost.
    case holdMissing
    /// The name belongs to another file.
    case exists
    case otherFileSystem
    /// The file system knows no such call.
    case unsupported
    case accessDenied
    case notPermitted
    /// The payload may not be changed or renamed by anyone (chattr).
    case immutable
    /// The file system refuses the name: too long, or a character that it does not take.
    case nameTooLong, nameRefused
    /// The file system takes no files of this size.
    case tooLarge
    case noRoom
    case readOnly
    /// The payload changed while it was read.
    case changed
    /// A ledger that has no room.
    case ledgerNoRoom
    /// Anything else: tried again.
    case other
  }
}
