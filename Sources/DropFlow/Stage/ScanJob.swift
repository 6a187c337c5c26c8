import DropEngine
import DropSystem
internal import Synchronization

/// A directory whose names are being read, a slice at a time.
final class OpenListing: Sendable {
  let directory: Directory
  private let listing: Mutex<DirectoryListing>

  init(_ directory: Directory) throws(FileError) {
    self.directory = directory
    listing = Mutex(try directory.listing())
  }

  func next() throws(FileError) -> RawPath? {
    let result = listing.withLock { listing in Result { () throws(FileError) in try listing.next() } }
    return try result.get()
  }
}

/// The next slice of the scans of some directories on one file system: lists names and inspects each.
struct ScanJob: Sendable {
  struct Part: Sendable {
    let directory: Int32
    let generation: UInt64
    let route: DirectoryRoute
    let lists: NameLists
    let isTemporary: Bool
    let isWatched: Bool
    /// Names on which something is mounted: they are inspected where only that is waited for.
    let mounts: Set<RawPath>
    var source: Source
  }

  /// From where a directory is listed.
  enum Source: Sendable {
    case route
    /// It is open, and nothing has been read of it.
    case opened(Directory)
    case listing(OpenListing)
  }

  struct Result: Sendable {
    let directory: Int32
    var findings: [Finding] = []
    var mounts: [RawPath] = []
    var end: End
  }

  enum End: Sendable {
    /// It is to be watched before it is listed, or what is created in between would be missed.
    case opened(Directory)
    case more(OpenListing)
    case complete
    case failed(Errno)
  }

  var parts: [Part]
  /// How many names are inspected at most.
  let limit: Int

  /// The first directory that is scanned; for messages.
  var firstPath: RawPath? { parts.first.map { $0.route.root.appending($0.route.location) } }

  /// Returns results for the first parts, and for no others once the limit is reached.
  func run() -> [Result] {
    var results: [Result] = []
    var rest = limit
    for part in parts where rest > 0 { results.append(scan(part, &rest)) }
    return results
  }

  private func scan(_ part: Part, _ rest: inout Int) -> Result {
    var result = Result(directory: part.directory, end: .complete)
    // An empty directory costs something as well.
    rest -= 1
    do throws(FileError) {
      if case .route = part.source, !part.isWatched {
        result.end = .opened(try part.route.open())
        return result
      }
      let listing = try open(part)
      while let name = try listing.next() {
        if part.mounts.contains(name) {
          result.mounts.append(name)
        } else if let finding = inspect(name, part, listing.directory) {
          result.findings.append(finding)
        }
        rest -= 1
        if rest <= 0 {
          result.end = .more(listing)
          return result
        }
      }
    } catch {
      result.end = .failed(error.errno)
    }
    return result
  }

  private func open(_ part: Part) throws(FileError) -> OpenListing {
    switch part.source {
    case .route: try OpenListing(try part.route.open())
    case .opened(let directory): try OpenListing(directory)
    case .listing(let listing): listing
    }
  }

  private func inspect(_ name: RawPath, _ part: Part, _ directory: Directory) -> Finding? {
    var kind = part.lists.kind(of: name)
    if kind == .junk { return nil }
    if kind == .ordinary, part.isTemporary { kind = .temporary(renamesFailures: false) }
    let request = InspectionRequest(
      key: PayloadKey(directory: part.directory, name: name),
      entry: InspectionQueue.Entry(generation: part.generation), kind: kind)
    do throws(FileError) {
      return Finding(request: request, outcome: .present(try part.route.status(of: name, in: directory), .none))
    } catch {
      return Finding(request: request, outcome: .failed(error.errno))
    }
  }
}
