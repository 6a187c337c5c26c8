import DropEngine
import DropSystem

/// What is to be asked of one place for one zone: names to inspect, and directories to scan.
final class FileSystemWork {
  /// In which lines of its place the work waits.
  struct Lines: OptionSet {
    let rawValue: UInt8
    static let names = Lines(rawValue: 1)
    static let scans = Lines(rawValue: 2)
  }

  /// The zone keeps its works, and closes them before it goes.
  unowned let zone: WatchedZone
  let place: FileSystemQueue
  /// Where the place begins for the zone; for messages.
  let path: RawPath
  private var names = InspectionQueue()
  /// Names of directories that are to be opened; an open directory is scanned before the next are opened.
  private var directories = InspectionQueue()
  var scans = ScanLine()
  /// How many names have been queued and how many of them are done, since the beginning.
  private(set) var counts = (queued: 0, done: 0)
  /// How many names are being inspected as a part of scans.
  private var scanNames = 0
  /// Why the place cannot be used although it answers.
  var failure: Errno?
  var queued: Lines = []
  private(set) var isClosed = false

  init(for zone: WatchedZone, at place: FileSystemQueue, _ path: RawPath) {
    self.zone = zone
    self.place = place
    self.path = path
    zone.coverage.works.append(self)
  }

  /// Ends the work: the zone no longer reaches the place this way.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    zone.coverage.works.removeAll { $0 === self }
  }

  // MARK: - Names

  func add(_ key: PayloadKey, _ hint: StagingHint, _ purpose: InspectionPurpose, generation: UInt64) {
    let isNew =
      purpose.contains(.directory)
      ? directories.add(key, hint, purpose) : names.add(key, hint, purpose, generation: generation)
    if isNew { counts.queued += 1 }
    place.enqueueNames(of: self)
  }

  /// The next name to inspect; `mayOpen` says whether it may be that of a directory.
  func nextName(mayOpen: Bool) -> (key: PayloadKey, entry: InspectionQueue.Entry)? {
    guard let next = names.popFirst() ?? (mayOpen ? directories.popFirst() : nil) else { return nil }
    if next.entry.purpose.isPartOfScan { scanNames += 1 }
    return next
  }

  /// Counts names as done.
  func finish(_ names: Int, scanNames: Int) {
    counts.done += names
    self.scanNames -= scanNames
  }

  /// Queues what is left after a call.
  func requeue() {
    if hasNames { place.enqueueNames(of: self) }
    if !scans.isEmpty { place.enqueueScans(of: self) }
  }

  func contains(_ key: PayloadKey) -> Bool {
    names.contains(key) || directories.contains(key) || place.subject.names.contains(key)
      || place.subject.directories.contains(key.directory)
  }

  private var hasNames: Bool { !names.isEmpty || !directories.isEmpty }
  var directoryCount: Int { directories.count }

  /// Whether everything that was queued so far is done.
  var isInspected: Bool { isInspected(through: counts.queued) }

  func isInspected(through count: Int) -> Bool { isClosed || counts.done >= count }

  /// Whether directories are being scanned, or are to be.
  var isScanning: Bool {
    !scans.isEmpty || !directories.isEmpty || names.unseenCount > 0 || scanNames > 0
  }
}

/// The scans of one zone at one place.
struct ScanLine {
  var queue = ScanQueue()
  /// Scans that are under way, or whose directories are open already; the last goes on first.
  var open: [DirectoryScan] = []

  var isEmpty: Bool { queue.isEmpty && open.isEmpty }
}

extension InspectionPurpose {
  /// Whether the scan of a directory is not over before this inspection is.
  var isPartOfScan: Bool { !isDisjoint(with: [.directory, .unseen]) }
}
