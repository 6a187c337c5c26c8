import DropEngine
import DropSystem

/// What a batch of deliveries has open: boxes, directories below them, holds.
struct OpenDestinations: Sendable {
  /// A box or rejects directory.
  struct Root: Sendable {
    let path: String
    let directory: Directory
    let status: FileStatus
    /// The longest name there, in bytes.
    let nameLimit: Int
  }

  /// A directory below one, made if it was missing.
  final class Folder: Sendable {
    /// Relative to its root; it may differ from what was asked for where a file has a directory's name.
    let location: RawPath
    let directory: Directory
    let status: FileStatus
    /// What could not be set of directories that were made.
    let warnings: [String]

    init(location: RawPath, directory: Directory, status: FileStatus, warnings: [String]) {
      self.location = location
      self.directory = directory
      self.status = status
      self.warnings = warnings
    }
  }

  private var roots: [String: Root] = [:]
  private var folders: [String: [RawPath: Folder]] = [:]
  private var holds: [String: Directory] = [:]
  private let isDurable: Bool

  init(isDurable: Bool) {
    self.isDurable = isDurable
  }

  mutating func root(_ path: String, wasMountPoint: Bool) throws(PlaceError) -> Root {
    if let root = roots[path] { return root }
    let directory = try Place.open(path, wasMountPoint: wasMountPoint)
    do throws(FileError) {
      let root = Root(
        path: path, directory: directory, status: try directory.status(), nameLimit: directory.nameLimit)
      roots[path] = root
      return root
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))': \(error.errno)")
    }
  }

  mutating func hold(_ path: String) throws(FileError) -> Directory {
    if let hold = holds[path] { return hold }
    let hold = try Directory(path, noFollow: true)
    holds[path] = hold
    return hold
  }

  /// Opens the directory `location` below `root` without following links; missing parts are made with the root's mode
  /// and group, and a part whose name a file has is numbered like a payload would be.
  mutating func folder(_ location: RawPath, in root: Root) throws(FileError) -> Folder {
    if let folder = folders[root.path]?[location] { return folder }
    var directory = root.directory
    var reached = RawPath(bytes: [])
    var warnings: [String] = []
    for part in location.components {
      (directory, reached) = try step(part, from: directory, reached, like: root.status, &warnings)
    }
    let status = location.isEmpty ? root.status : try directory.status()
    let folder = Folder(location: reached, directory: directory, status: status, warnings: warnings)
    folders[root.path, default: [:]][location] = folder
    return folder
  }

  private func step(
    _ part: RawPath, from parent: Directory, _ reached: RawPath, like status: FileStatus, _ warnings: inout [String]
  ) throws(FileError) -> (Directory, RawPath) {
    var number = 0
    while true {
      let name = FreeName.candidate(part, number: number)
      do throws(FileError) {
        let directory = try parent.directory(named: name)
        if try isUnfinished(directory, like: status) { adopt(name, in: parent, like: status, &warnings) }
        return (directory, reached.appending(name))
      } catch  where error.errno == .noEntry {
        do throws(FileError) {
          try parent.makeDirectory(name, mode: 0o700)
          adopt(name, in: parent, like: status, &warnings)
          // At once: another batch may find it there, and have its receipt before this one.
          if isDurable { try parent.syncWherePossible() }
        } catch  where error.errno == .exists {}
      } catch  where error.errno == .notDirectory || error.errno == .loop {
        number += 1
      }
    }
  }

  /// Gives a directory that was made the root's group and mode; what cannot be set is a warning.
  private func adopt(_ name: RawPath, in parent: Directory, like status: FileStatus, _ warnings: inout [String]) {
    do throws(FileError) {
      try parent.adopt(group: status.group, mode: status.mode & 0o2777, of: name)
    } catch {
      warnings.append("group and permissions of the directory '\(name)' not inherited: \(error.errno)")
    }
  }

  /// Whether a directory was made by a process that ended before it could open it to others: nothing is in it yet.
  private func isUnfinished(_ directory: Directory, like status: FileStatus) throws(FileError) -> Bool {
    let own = try directory.status()
    return own.mode == 0o700 && own.owner == effectiveUser() && status.mode & 0o777 != 0o700 && directory.isEmpty
  }
}

extension OpenDestinations.Folder {
  /// The first number from `first` on under which a payload can have its name here.
  func freeNumber(for payload: ClaimedPayload, from first: Int, limit: Int) -> Int {
    FreeName.firstFree(from: first) { !isFree(payload.name($0, limit: limit), for: payload.drop) }
  }

  /// Whether a payload can have this name here. A reject's reason needs one too; a reject that was tried again finds its
  /// own from the last time.
  func isFree(_ name: RawPath, for drop: Drop) -> Bool {
    guard !directory.has(name) else { return false }
    return drop.isAccepted || !directory.has(ReasonFile.name(beside: name))
      || ReasonFile.isOwn(drop.id, beside: name, in: directory)
  }
}

extension ClaimedPayload {
  /// The name it is to have in its place.
  var ownName: RawPath {
    let wishes = delivery.wishes
    if wishes.usesIDAsName { return RawPath(drop.entry) }
    return drop.isAccepted ? wishes.name ?? drop.location.lastComponent : drop.location.lastComponent
  }

  /// The same with a number; a reject's reason must fit beside it.
  func name(_ number: Int, limit: Int) -> RawPath {
    FreeName.candidate(
      ownName, number: number, limit: limit, reserve: drop.isAccepted ? 0 : ReasonFile.suffix.utf8.count)
  }

  /// Whether a file of the box, which has one of its names, may have its bytes.
  func mayHaveBytes(of status: FileStatus) -> Bool {
    status.kind == .regular && status.size == drop.size && !delivery.compared.contains(status)
  }
}
