import DropEngine
import DropSystem

/// A name that is to be inspected, with what staging knew of it when the inspection began.
struct InspectionRequest: Sendable {
  let key: PayloadKey
  var entry = InspectionQueue.Entry()
  /// What the name says.
  let kind: NameKind
  /// When its writers are asked for in the same go.
  var writerCheck = WriterCheck.never
  /// Whether a directory under this name is opened to be watched.
  var opensDirectory = false
  /// The watched directory that had the name.
  var child: FileIdentity?

  enum WriterCheck: Sendable {
    case never
    case ifRegular
    case ifUnchanged(since: FileStatus)

    func applies(to status: FileStatus) -> Bool {
      switch self {
      case .never: false
      case .ifRegular: status.kind == .regular && status.size > 0
      case .ifUnchanged(let known): status.kind == .regular && status.isUnchanged(since: known)
      }
    }
  }
}

/// What an inspection has found.
struct Finding: Sendable {
  let request: InspectionRequest
  let outcome: Outcome

  enum Outcome: Sendable {
    case present(FileStatus, Extra)
    case failed(Errno)
    /// The directory could not be opened.
    case unreachable(Errno)
  }

  /// What was found out beyond the status.
  enum Extra: Sendable {
    case none
    case writers(WriterAnswer)
    case directory(Result<OpenedDirectory, Errno>)
  }
}

/// Whether somebody has a payload open for writing.
struct WriterAnswer: Sendable {
  let writer: Staging.Writer
  /// The payload, open for its claim.
  var file: OpenFile?
}

/// A directory that was found in a zone, open for listing.
struct OpenedDirectory: Sendable {
  let directory: Directory
  let status: FileStatus
  let kind: FileSystemKind
}

/// Inspects names on one file system, in order; each directory is opened once for all names in it.
struct InspectionJob: Sendable {
  /// The directories, and the names with the index of theirs.
  private var routes: [DirectoryRoute] = []
  private var requests: [(directory: Int, request: InspectionRequest)] = []
  private var indices: [Int32: Int] = [:]
  private let openReleases: OpenFileBudget

  init(openReleases: OpenFileBudget) {
    self.openReleases = openReleases
  }

  var count: Int { requests.count }

  /// The first name that is inspected; for messages.
  var firstPath: RawPath? {
    requests.first.map { routes[$0.directory].root.appending(routes[$0.directory].location) }
  }

  mutating func add(_ request: InspectionRequest, by route: @autoclosure () -> DirectoryRoute?) {
    let id = request.key.directory
    if let index = indices[id] {
      requests.append((index, request))
    } else if let route = route() {
      indices[id] = routes.count
      requests.append((routes.count, request))
      routes.append(route)
    }
  }

  func run() -> [Finding] {
    var open = [Result<Directory, FileError>?](repeating: nil, count: routes.count)
    return requests.map { index, request in
      let route = routes[index]
      let directory = open[index] ?? Result(catching: route.open)
      open[index] = directory
      return switch directory {
      case .success(let directory): Finding(request: request, outcome: inspect(request, in: directory, route))
      case .failure(let error): Finding(request: request, outcome: .unreachable(error.errno))
      }
    }
  }

  private func inspect(
    _ request: InspectionRequest, in directory: Directory, _ route: DirectoryRoute
  ) -> Finding.Outcome {
    let name = request.key.name
    do throws(FileError) {
      let status = try route.status(of: name, in: directory)
      if status.kind == .directory {
        guard request.opensDirectory, request.child?.isSame(as: status.identity, on: route.kind) != true else {
          return .present(status, .none)
        }
        return .present(status, .directory(Self.open(name, in: directory)))
      }
      guard request.writerCheck.applies(to: status),
        let answer = writers(of: name, in: directory, status, route.kind.evidence)
      else { return .present(status, .none) }
      return .present(status, .writers(answer))
    } catch {
      return .failed(error.errno)
    }
  }

  private static func open(_ name: RawPath, in parent: Directory) -> Result<OpenedDirectory, Errno> {
    do throws(FileError) {
      let directory = try parent.directory(named: name, forListing: true)
      // Opened for reading, it may be listed; that a name in it can be inspected shows that it may be entered.
      let status = try directory.status(of: ".")
      return .success(OpenedDirectory(directory: directory, status: status, kind: directory.fileSystemKind))
    } catch {
      return .failure(error.errno)
    }
  }

  /// Asks whether somebody has a file open for writing; nil if the name belongs to another file by now, or the file has
  /// changed.
  private func writers(
    of name: RawPath, in directory: Directory, _ status: FileStatus, _ evidence: Evidence
  ) -> WriterAnswer? {
    do throws(FileError) {
      guard let (file, now) = try directory.openRegular(named: name, budget: openReleases),
        now.isUnchanged(since: status)
      else { return nil }
      // Elsewhere, closing the file may wait for a server.
      let staysOpen = file.isCounted && evidence.usesLease
      var evidence = evidence
      if evidence.usesLease {
        switch file.probeLease() {
        case .granted: break
        case .writer: return WriterAnswer(writer: .present)
        case .unavailable: evidence = .quietOnly
        }
      }
      return WriterAnswer(writer: .none(evidence), file: staysOpen ? file : nil)
    } catch {
      if error.errno == .noEntry { return nil }
      guard error.errno.isForbidden else {
        return WriterAnswer(writer: .retry("it cannot be opened: \(error.errno)"))
      }
      let mode = String(status.mode, radix: 8)
      return WriterAnswer(
        writer: .unreadable("it cannot be read by this daemon (mode \(mode), user \(status.owner))"))
    }
  }
}
