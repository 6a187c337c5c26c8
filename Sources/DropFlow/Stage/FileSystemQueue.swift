import DropEngine
import DropSystem
internal import Synchronization

/// Something that calls may hang on: one file system, or a path of which it is not known yet where it leads.
///
/// A place answers one call at a time, on a thread that serves nothing else in the meantime. A place that has not
/// answered for ten seconds is silent: what depends on it waits, and goes on as soon as it answers. The event loop's
/// thread owns this object.
final class FileSystemQueue {
  /// How long a call may take before the place counts as silent.
  static let patience = Duration.seconds(10)
  /// A path may be asked again while a call hangs, because it may lead elsewhere by now; that call may hang too.
  private static let threadLimit = 4

  /// What a call is about.
  struct Subject {
    var names: Set<PayloadKey> = []
    var directories: Set<Int32> = []
    /// For whom it asks, and how many names: in all, and as a part of scans.
    var works: [(work: FileSystemWork, names: Int, scanNames: Int)] = []
    /// Names whose payloads have left their zone since the call began: its answer may be from before that.
    fileprivate(set) var outdated: Set<PayloadKey> = []
  }

  let number: Int
  private let pool: BlockingPool
  /// The call that is waited for.
  private(set) var call: FileSystemCall?
  private(set) var subject = Subject()
  private(set) var isSilent = false
  private var names = Queue<FileSystemWork>()
  private var scans = Queue<FileSystemWork>()
  /// Whether the next call is a scan, if there is anything to scan.
  var prefersScan = false
  /// Whether the place is on the list of those that calls may begin to.
  var isListed = false

  init(number: Int) {
    self.number = number
    pool = BlockingPool(limit: Self.threadLimit, on: .fileSystems)
  }

  // MARK: - Calls

  /// Begins a call; one that was waited for until now is left behind.
  func begin(_ call: FileSystemCall, about subject: Subject = Subject(), _ body: @escaping @Sendable () -> Void) {
    self.call = call
    self.subject = subject
    pool.perform(body)
  }

  /// Ends a call; returns what it was about, or nil if it is no longer waited for.
  func end(_ call: FileSystemCall) -> Subject? {
    guard self.call === call else { return nil }
    self.call = nil
    isSilent = false
    defer { subject = Subject() }
    return subject
  }

  /// When the place is silent, unless it answers; nil if nothing is waited for, or if it is silent already.
  var deadline: Duration? { isSilent ? nil : call.map { $0.since + Self.patience } }

  /// Returns whether the place has become silent just now.
  func checkSilence(at now: Duration) -> Bool {
    guard let deadline, deadline <= now else { return false }
    isSilent = true
    return true
  }

  /// Notes that a payload has left its zone.
  func outdate(_ key: PayloadKey) {
    if call != nil { subject.outdated.insert(key) }
  }

  // MARK: - What waits for a call

  /// Whether a call can begin and there is something to ask.
  var isReady: Bool { call == nil && !(names.isEmpty && scans.isEmpty) }

  func enqueueNames(of work: FileSystemWork) {
    guard !work.queued.contains(.names) else { return }
    work.queued.insert(.names)
    names.append(work)
  }

  func enqueueScans(of work: FileSystemWork) {
    guard !work.queued.contains(.scans) else { return }
    work.queued.insert(.scans)
    scans.append(work)
  }

  /// The next work that has names; the rest of them has to be queued again.
  func nextWithNames() -> FileSystemWork? {
    while let work = names.popFirst() {
      work.queued.remove(.names)
      if !work.isClosed { return work }
    }
    return nil
  }

  /// The next work that has scans; the rest of them has to be queued again.
  func nextWithScans() -> FileSystemWork? {
    while let work = scans.popFirst() {
      work.queued.remove(.scans)
      if !work.isClosed { return work }
    }
    return nil
  }
}

/// One call to a place.
final class FileSystemCall: Sendable {
  let since: Duration
  private let path: Mutex<RawPath>

  init(_ path: RawPath, at now: Duration) {
    since = now
    self.path = Mutex(path)
  }

  /// What the call waits for.
  var asked: RawPath { path.withLock { $0 } }

  /// Notes that the call asks about another path from now on.
  func ask(_ path: RawPath) {
    self.path.withLock { $0 = path }
  }
}
