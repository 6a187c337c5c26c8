extension Delivery {
  /// One thing to do. Each is done whole before its result is reported; a crash comes before or after it.
  package enum Step: Hashable, Sendable {
    /// Put a file's bytes and attributes on the disk.
    case sync(Name)
    /// Put a directory's names on the disk.
    case syncDirectory(Name)
    /// Write to the ledger, all or nothing, and return when it is on the disk.
    case commit([LedgerChange])
    /// Give the payload another name, never in place of another file unless `replacing`.
    case rename(Name, to: Name, replacing: Bool = false)
    /// Write the bytes and attributes of one name into a new file with the other; an older one of that name goes first.
    case copy(Name, to: Name)
    /// Remove a name if it leads to the file that the row describes; it may be gone already.
    case remove(Name)
    /// Write the reason beside the name that a reject is about to get.
    case writeReason
    /// Read what the payload is: its type, and its digest where it is wanted.
    case check
    /// Ask the zone's configuration about a reject that is tried again.
    case configure
    /// Wait for a handler's worker.
    case awaitWorker
    /// Call the handler.
    case ask
    /// Look at what the hold has of the payload now.
    case inspect
    /// Look at the payload once more, and choose its name from the given number on.
    case choose(from: Int)
    /// Choose the next free name for a copy that has been made already.
    case chooseForCopy(from: Int)
    /// Compare the payload's bytes with the files that have its names, from the given number on.
    case compare(from: Int)
    /// Choose a free name in the zone for an original that goes back to it, from the given number on.
    case chooseReturnName(from: Int)
    /// Look which of the payload's names exist, after a stop.
    case findNames
    /// Do nothing until the payload's turn comes again.
    indirect case wait(Wait)
    /// The claim is off: the payload stays in the zone.
    indirect case stay(Refusal)
    /// The payload is in the zone, and its row is closed: staging finds it, with what goes with the file.
    indirect case leftInZone(AttemptCount?)
    /// The request of an operator is off: everything is as it was before.
    case refused(String)
    /// The payload's outcome is in the ledger, and nothing of it is left elsewhere.
    case finished
    /// This process does nothing more; the next one recovers the row, if there is one.
    case parked
  }

  /// The names that a payload has on its way.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    /// Its own: in the zone, or in the rejects while it is tried again.
    case origin
    /// In the hold.
    case hold
    /// The hidden name of a copy that is being made, in the directory of the destination.
    case temporary
    /// In the box or the rejects.
    case destination
    /// The reason file beside a reject's destination.
    case reason
    /// The reason file beside a reject that was tried again.
    case oldReason
    /// In the box, for a delivery that is undone.
    case delivered
    /// The hidden name of a copy that is being made in the zone, when a delivery is undone.
    case halfCopy
  }

  /// Why a payload waits, for people and for whoever decides when it goes on.
  package struct Wait: Hashable, Sendable {
    package var waiting: Waiting
    package var message: String
    package var cause = Cause.payload

    /// What has to change.
    package enum Cause: Hashable, Sendable {
      /// The payload itself.
      case payload
      /// A box or rejects directory, by its path; all that wait for it go on together.
      case place(String)
      /// A directory that cannot be synced, by the path of its box or rejects.
      case sync(String)
      case handler
      case ledger
    }

    package init(_ waiting: Waiting, _ message: String, cause: Cause = .payload) {
      self.waiting = waiting
      self.message = message
      self.cause = cause
    }

    /// The longest time between two tries: a writer is asked for every 5 s, a place every 30 s, a payload every minute.
    package var longestBackoff: Duration {
      switch waiting {
      case .writer: .seconds(5)
      case .blocked: .seconds(30)
      default: .seconds(60)
      }
    }
  }

  /// Why a payload was not claimed. Without `waiting` it has changed, and staging looks at it again.
  package struct Refusal: Error, Hashable, Sendable {
    package var waiting: Waiting?
    package var detail = ""
    /// Whether the next change of the payload is a reason to try again.
    package var endsAtChange: Bool { waiting == .unreadable || waiting == .cannotTake }

    package init(_ waiting: Waiting?, _ detail: String = "") {
      self.waiting = waiting
      self.detail = detail
    }

    package static let changed = Refusal(nil)
  }

  /// A name in the box or the rejects.
  package struct Destination: Hashable, Sendable {
    /// The box or the rejects.
    package var root: String
    /// Relative to the root; it may differ from what was asked for where a file has a directory's name.
    package var directory: RawPath
    package var name: RawPath
    /// How many names were passed over.
    package var number: Int
    /// Whether the name belongs to a file that is replaced.
    package var replaces: Bool
    /// What could not be set of directories that were made.
    package var warnings: [String] = []
    /// What could not be set of the payload's own owner and mode; a copy is set separately.
    package var ownWarnings: [String] = []
    /// The payload's change time, if its owner or mode was changed and has to be synced.
    package var changed: Int64?

    package init(root: String, directory: RawPath, name: RawPath, number: Int, replaces: Bool) {
      self.root = root
      self.directory = directory
      self.name = name
      self.number = number
      self.replaces = replaces
    }
  }
}
