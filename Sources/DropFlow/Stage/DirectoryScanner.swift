import DropEngine
import DropSystem

/// Keeps the tree of watched directories true, and scans directories: a scan is the truth about what lies in them.
///
/// The same scan serves the start, new directories, lost events and file systems whose changes raise no events. It goes
/// in slices, so that a big directory does not delay others.
final class DirectoryScanner {
  /// How many names a slice inspects.
  static let slice = 1024
  /// How many directories a slice is about.
  private static let partLimit = 64
  /// How many names of directories may wait to be opened before scans pause.
  private static let foundLimit = 4096

  let zones: ZoneRegistry
  let tree: DirectoryTree
  let places: FileSystemQueues
  let inspector: PayloadInspector
  let originals: CopiedOriginalIndex
  let kernel: KernelWatch
  let log: any FlowLog
  var polls = PollSchedule()
  var renames = PendingRenames()
  /// Directories that are not entered.
  var excluded: Set<FileIdentity> = []
  private var generation: UInt64 = 0

  init(
    zones: ZoneRegistry, tree: DirectoryTree, places: FileSystemQueues, inspector: PayloadInspector,
    originals: CopiedOriginalIndex, kernel: KernelWatch, log: any FlowLog
  ) {
    self.zones = zones
    self.tree = tree
    self.places = places
    self.inspector = inspector
    self.originals = originals
    self.kernel = kernel
    self.log = log
  }

  // MARK: - What is to be scanned

  func scan(_ id: Int32, deep: Bool) {
    guard let node = tree[id] else { return }
    node.ground.work.scans.queue.add(id, deep: deep)
    enqueue(node.ground.work)
  }

  /// Scans all of a zone, if its root is watched.
  func scan(_ zone: WatchedZone) {
    if let root = zone.root.directory { scan(root, deep: true) }
  }

  /// Scans an open directory next.
  func scan(_ id: Int32, _ directory: Directory) {
    guard let node = tree[id] else { return }
    generation += 1
    node.ground.work.scans.open.append(
      DirectoryScan(id, isDeep: true, generation: generation, source: .opened(directory)))
    enqueue(node.ground.work)
  }

  private func enqueue(_ work: FileSystemWork) {
    work.zone.coverage.isScanWanted = true
    zones.attend(to: work.zone)
    work.place.enqueueScans(of: work)
    places.list(work.place)
  }

  /// Scans the directories whose time has come.
  func scanDue(at now: Duration) {
    for id in polls.takeDue(at: now) { scan(id, deep: false) }
  }

  func listAgain(in zone: WatchedZone, at now: Duration) {
    for (id, isDeep) in zone.coverage.unlisted.takeDue(at: now) { scan(id, deep: isDeep) }
  }

  /// Checks a zone's root soon, because its path may lead elsewhere by now.
  func checkRoot(of zone: WatchedZone) {
    zone.root.needsCheck = true
    zones.attend(to: zone)
  }

  // MARK: - Slices

  /// The next slice at a place; nil if there is nothing to scan, or if what was found has to be opened first.
  func nextJob(at place: FileSystemQueue) -> (job: ScanJob, subject: FileSystemQueue.Subject)? {
    while let work = place.nextWithScans() {
      let parts = nextParts(of: work)
      guard !parts.isEmpty else { continue }
      let subject = FileSystemQueue.Subject(directories: Set(parts.map(\.directory)), works: [(work, 0, 0)])
      return (ScanJob(parts: parts, limit: Self.slice), subject)
    }
    return nil
  }

  private func nextParts(of work: FileSystemWork) -> [ScanJob.Part] {
    work.scans.open.removeAll { tree[$0.id] == nil }
    let mayFindMore = work.directoryCount < Self.foundLimit
    if work.scans.open.isEmpty, mayFindMore { startQueued(work) }
    return work.scans.open.suffix(Self.partLimit).reversed().compactMap { scan in
      if case .opened = scan.source { part(of: scan) } else { mayFindMore ? part(of: scan) : nil }
    }
  }

  private func startQueued(_ work: FileSystemWork) {
    while let (id, isDeep) = work.scans.queue.next() {
      guard let node = tree[id] else { continue }
      node.zone.coverage.unlisted.begin(id)
      generation += 1
      work.scans.open.append(DirectoryScan(id, isDeep: isDeep, generation: generation, source: .route))
      return
    }
  }

  private func part(of scan: DirectoryScan) -> ScanJob.Part? {
    guard let node = tree[scan.id], let route = tree.route(to: scan.id) else { return nil }
    return ScanJob.Part(
      directory: scan.id, generation: scan.generation, route: route, lists: node.zone.plan.lists,
      isTemporary: node.isTemporary, isWatched: node.watch != nil,
      mounts: node.zone.coverage.mounts(in: route.location),
      source: scan.source)
  }

  func take(_ results: [ScanJob.Result], outdated: Set<PayloadKey>, at now: Duration) {
    for result in results {
      guard let work = tree[result.directory]?.ground.work,
        let scan = work.scans.open.last(where: { $0.id == result.directory })
      else { continue }
      for finding in result.findings { take(finding, in: scan, outdated: outdated, at: now) }
      for key in result.mounts.map({ PayloadKey(directory: result.directory, name: $0) }) {
        scan.seen.insert(key.name)
        inspector.inspect(key, [], .directory)
      }
      take(result.end, of: scan, work, at: now)
    }
  }

  private func take(_ end: ScanJob.End, of scan: DirectoryScan, _ work: FileSystemWork, at now: Duration) {
    switch end {
    case .opened(let directory):
      watch(scan.id, directory)
      scan.source = .opened(directory)
    case .more(let listing):
      scan.source = .listing(listing)
    case .complete:
      work.scans.open.removeAll { $0 === scan }
      self.end(scan, at: now)
    case .failed(let error):
      work.scans.open.removeAll { $0 === scan }
      cannotList(scan.id, error, deep: scan.isDeep)
    }
    if !work.scans.isEmpty { enqueue(work) }
  }

  private func take(
    _ finding: Finding, in scan: DirectoryScan, outdated: Set<PayloadKey>, at now: Duration
  ) {
    take(finding, outdated: outdated, at: now)
    let name = finding.request.key.name
    guard case .present(let status, _) = finding.outcome, status.kind == .directory,
      let child = tree[scan.id]?.children[name]
    else { return }
    scan.seen.insert(name)
    if scan.isDeep { self.scan(child, deep: true) }
  }

  /// Inspects what was known in a directory and not met by its scan, before it counts as gone.
  private func end(_ scan: DirectoryScan, at now: Duration) {
    guard let node = tree[scan.id] else { return }
    if node.zone.coverage.unlisted.succeed(scan.id) { zones.touch(node.zone) }
    var unseen = node.zone.staging.names(in: scan.id).filter { name in
      node.zone.staging[PayloadKey(directory: scan.id, name: name)].map { $0.generation < scan.generation } ?? false
    }
    unseen += node.children.keys.filter { !scan.seen.contains($0) }
    if !node.zone.originals.isEmpty { unseen += node.zone.originals.names(in: tree.location(of: scan.id)) }
    for name in unseen {
      inspector.inspect(PayloadKey(directory: scan.id, name: name), [], .unseen, generation: scan.generation)
    }
    schedulePoll(scan.id, at: now)
  }

  // MARK: - Findings

  /// - Parameter outdated: Names whose payloads have left their zone since they were inspected, or before.
  func take(_ findings: [Finding], outdated: Set<PayloadKey>, at now: Duration) {
    for finding in findings { take(finding, outdated: outdated, at: now) }
  }

  private func take(_ finding: Finding, outdated: Set<PayloadKey>, at now: Duration) {
    let key = finding.request.key
    if case .present = finding.outcome {
      noteAnswer(of: key)
      if !outdated.isEmpty, outdated.contains(key) { return inspector.inspectAgain(finding) }
    }
    switch inspector.take(finding, at: now) {
    case .none: break
    case .appeared: polls.noteActivity(in: key.directory, at: now)
    case .directory(let found): take(found, at: now)
    case .unlisted(let error): cannotList(key.directory, error, deep: false)
    }
    if finding.request.entry.purpose.contains(.unseen) { dropUnseen(finding) }
  }

  /// A file system that answers is connected again.
  private func noteAnswer(of key: PayloadKey) {
    guard let work = tree[key.directory]?.ground.work, work.failure != nil else { return }
    work.failure = nil
    zones.touch(work.zone)
  }

  private func dropUnseen(_ finding: Finding) {
    let key = finding.request.key
    guard let node = tree[key.directory] else { return }
    var present: FileStatus?
    switch finding.outcome {
    case .present(let status, _): present = status
    case .failed: break
    case .unreachable: return
    }
    if let child = node.children[key.name], present.map({ tree[child]?.isSame(as: $0) != true }) ?? true { drop(child) }
    let location = tree.location(of: key)
    // One that is about to appear is not gone.
    if present == nil, let original = node.zone.originals[location], original.changed != 0 {
      originals.forget(location, in: node.zone)
    }
  }
}

/// The scan of one directory.
final class DirectoryScan {
  let id: Int32
  /// Whether the directories below are scanned as well.
  let isDeep: Bool
  /// What tells what it has met from what was known before.
  let generation: UInt64
  var source: ScanJob.Source
  /// The directories it has met.
  var seen: Set<RawPath> = []

  init(_ id: Int32, isDeep: Bool, generation: UInt64, source: ScanJob.Source) {
    self.id = id
    self.isDeep = isDeep
    self.generation = generation
    self.source = source
  }
}
