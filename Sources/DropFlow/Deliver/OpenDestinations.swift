import DropEngine
import DropSystem

/// What a batch of deliveries has open: boxes, directories below them, holds.
struct OpenDestinations: Sendable {
  /// A box or rejects directory.
  struct Root: Sendable {
    let path: String
    let file: OpenFile
    let status: FileStatus
    /// The longest name there, in bytes.
    let nameLimit: Int
  }

  /// A directory below one, made where it was missing.
  struct Folder: Sendable {
    /// Relative to its root; may differ from what was asked for where a file has a directory's name.
    let location: RawPath
    let file: OpenFile
    let status: FileStatus
    /// What could not be set of those that were made for it.
    var warnings: [String] = []

    /// The first number from `first` on under which a payload can have its name here.
    func freeNumber(for payload: ClaimedPayload, from first: Int, limit: Int) -> Int {
      FreeName.firstFree(from: first) { !isFree(payload.name($0, limit: limit), for: payload.drop) }
    }

    func has(_ name: RawPath) -> Bool {
      (try? FileStatus.read(at: name, in: file.number)) != nil
    }

    /// Whether a payload can have this name here. A reject's reason needs one too; a reject that was tried again finds
    /// its own from the last time.
    func isFree(_ name: RawPath, for drop: Drop) -> Bool {
      guard !has(name) else { return false }
      return drop.isAccepted || !has(ReasonFile.name(beside: name))
        || ReasonFile.isOwn(drop.id, beside: name, in: file.number)
    }
  }

  private var roots: [String: Root] = [:]
  private var folders: [String: [RawPath: Folder]] = [:]
  private var holds: [String: OpenFile] = [:]
  private let isDurable: Bool

  init(isDurable: Bool) {
    self.isDurable = isDurable
  }

  mutating func root(_ path: String, wasMountPoint: Bool) throws(PlaceError) -> Root {
    if let root = roots[path] { return root }
    let file = try Place.open(path, wasMountPoint: wasMountPoint)
    do throws(Errno) {
      let root = Root(
        path: path, file: file, status: try FileStatus.read(at: file.number), nameLimit: longestName(at: file.number))
      roots[path] = root
      return root
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))': \(error)")
    }
  }

  mutating func hold(_ path: String) throws(Errno) -> OpenFile {
    if let hold = holds[path] { return hold }
    let hold = OpenFile(try Directory.open(path))
    holds[path] = hold
    return hold
  }

  /// Opens the directory `location` below `root` without following links; missing parts are made with the root's mode
  /// and group, and a part whose name a file has is called like a payload would be.
  mutating func folder(_ location: RawPath, in root: Root) throws(Errno) -> Folder {
    if let folder = folders[root.path]?[location] { return folder }
    var directory = root.file
    var reached = RawPath(bytes: [])
    var warnings: [String] = []
    for part in location.components {
      (directory, reached) = try step(part, from: directory, reached, like: root.status, &warnings)
    }
    let folder = Folder(
      location: reached, file: directory, status: try FileStatus.read(at: directory.number), warnings: warnings)
    folders[root.path, default: [:]][location] = folder
    return folder
  }

  private mutating func step(
    _ part: RawPath, from parent: OpenFile, _ reached: RawPath, like status: FileStatus, _ warnings: inout [String]
  ) throws(Errno) -> (OpenFile, RawPath) {
    var number = 0
    while true {
      let name = FreeName.candidate(part, number: number)
      do throws(Errno) {
        let directory = try FileDescriptor.open(name, in: parent.number, [.pathOnly, .directory, .noFollow])
        if try isUnfinished(directory, like: status) { adopt(name, in: parent, like: status, &warnings) }
        return (OpenFile(directory), reached.appending(name))
      } catch  where error == .noEntry {
        do throws(Errno) {
          try Directory.make(name, in: parent.number, mode: 0o700)
          adopt(name, in: parent, like: status, &warnings)
          // At once: another batch may find it there, and have its receipt before this one.
          if isDurable { try Directory.syncWherePossible(parent.number) }
        } catch  where error == .exists {}
      } catch  where error == .notDirectory || error == .loop {
        number += 1
      }
    }
  }

  /// Gives a directory that was made the root's group and mode; what cannot be had is a warning.
  private func adopt(_ name: RawPath, in parent: OpenFile, like status: FileStatus, _ warnings: inout [String]) {
    do throws(Errno) {
      try Directory.adopt(group: status.group, mode: status.mode & 0o2777, of: name, in: parent.number)
    } catch {
      warnings.append("group and permissions of the directory '\(name)' not inherited: \(error)")
    }
  }

  /// Whether a directory was made by a process that ended before it could open it to others: nothing is in it yet.
  private func isUnfinished(_ directory: borrowing FileDescriptor, like status: FileStatus) throws(Errno) -> Bool {
    let own = try FileStatus.read(at: directory.number)
    return own.mode == 0o700 && own.owner == effectiveUser() && status.mode & 0o777 != 0o700
      && Directory.isEmpty(directory.number)
  }

  /// Holds first, boxes second: after a power cut a name may be in both, never in neither.
  ///
  /// Returns what kept one of them from being written. A directory that cannot be synced at all counts as synced.
  static func sync(_ placed: [Placement]) -> Errno? {
    var known: Set<Int32> = []
    var synced: Set<FileIdentity> = []
    for directory in placed.map(\.hold) + placed.map(\.folder.file)
    where known.insert(directory.number).inserted {
      // Each batch has opened them for itself.
      if let status = try? FileStatus.read(at: directory.number), !synced.insert(status.identity).inserted { continue }
      do throws(Errno) {
        try Directory.syncWherePossible(directory.number)
      } catch {
        return error
      }
    }
    return nil
  }
}

/// What a payload was right before its place was chosen.
struct FinalInspection: Sendable {
  var status: FileStatus
  /// What is not as it was when the verdict was made.
  var change: Change?

  enum Change: Sendable {
    /// The verdict was on other bytes.
    case other(String)
    /// Bytes may still come.
    case writer
  }
}

/// One payload with the name it is about to get.
struct Placement: Sendable {
  var payload: ClaimedPayload
  let look: FinalInspection
  let root: OpenDestinations.Root
  let folder: OpenDestinations.Folder
  let hold: OpenFile
  let name: RawPath
  let number: Int
  let replaces: Bool
  /// What of owner and mode could not be set on the file itself; a copy is set anew.
  var leftUndone: [String] = []
  /// When it was decided: the reason file and the receipt say the same.
  let decided = wallNow()

  init(
    _ payload: ClaimedPayload, _ look: FinalInspection, _ root: OpenDestinations.Root,
    _ folder: OpenDestinations.Folder, hold: OpenFile,
    name: RawPath,
    number: Int, replaces: Bool
  ) {
    self.payload = payload
    self.look = look
    self.payload.drop.destinationRoot = root.path
    self.payload.drop.destinationDirectory = folder.location
    self.payload.drop.destinationName = name
    self.payload.drop.warn(folder.warnings)
    self.root = root
    self.folder = folder
    self.hold = hold
    self.name = name
    self.number = number
    self.replaces = replaces
  }

  /// Whether the file itself goes to the box, and nobody else has a name for it.
  var isMovedAsItIs: Bool { isNear && payload.drop.isAccepted }

  /// Whether a rename will do: another name of the file must keep its bytes to itself, and so must an original.
  var isNear: Bool { !payload.drop.isAccepted || payload.drop.links == 1 && !payload.drop.returnsOriginal }

  /// Gives the payload its name: the one it was held under, or that of its copy.
  func rename(_ own: RawPath, in directory: OpenFile) throws(Errno) {
    if replaces {
      try Directory.rename(own, in: directory.number, to: name, in: folder.file.number, replacing: true)
    } else {
      try Directory.renameReplacingNothing(own, in: directory.number, to: name, in: folder.file.number)
    }
  }

  var place: RawPath { RawPath(root.path).appending(folder.location).appending(name) }

  var record: ReceiptRecord {
    ReceiptRecord(verdictOf: payload.drop, place: place, finished: decided, replaced: replaces)
  }
}

extension ClaimedPayload {
  /// The name it is to have in its place.
  var ownName: RawPath {
    if takesID { return RawPath(drop.entry) }
    return drop.isAccepted ? wishedName ?? drop.location.lastComponent : drop.location.lastComponent
  }

  /// The same by its number; a reject's reason must fit beside it.
  func name(_ number: Int, limit: Int) -> RawPath {
    FreeName.candidate(
      ownName, number: number, limit: limit, reserve: drop.isAccepted ? 0 : ReasonFile.suffix.utf8.count)
  }

  /// Whether a file of the box, which has one of its names, may have its bytes.
  func mayHaveBytes(of status: FileStatus) -> Bool {
    status.kind == .regular && status.size == drop.size && !others.contains(status)
  }
}
