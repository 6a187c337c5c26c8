import DropEngine
import DropSystem

/// Keeps the tree of watched directories true, and scans directories: a scan is the truth about what lies in them.
///
/// The same scan serves the start, new directories, lost events and file systems whose changes raise no events. It goes
/// in slices, so that a big directory does not delay others.
final class DirectoryScanner {
  /// How many names a slice inspects.
  static let slice = 1024
  /// How many directories are open at a time until they are scanned.
  private static let openLimit = 64
  /// How many names of directories may wait to be opened before scans pause.
  private static let foundLimit = 4096

  let zones: ZoneRegistry
  let tree: DirectoryTree
  let inspector: PayloadInspector
  let originals: CopiedOriginalIndex
  let kernel: KernelWatch
  let log: any FlowLog
  private var queue = ScanQueue()
  /// Scans that are under way, or whose directories are open already; the last goes on first.
  private var scans: [DirectoryScan] = []
  var polls = PollSchedule()
  var excluded: Set<FileIdentity> = []
  var renames = PendingRenames()
  private var generation: UInt64 = 0

  init(
    zones: ZoneRegistry, tree: DirectoryTree, inspector: PayloadInspector, originals: CopiedOriginalIndex,
    kernel: KernelWatch, log: any FlowLog
  ) {
    self.zones = zones
    self.tree = tree
    self.inspector = inspector
    self.originals = originals
    self.kernel = kernel
    self.log = log
  }

  // MARK: - What is to be scanned

  var isScanning: Bool { !queue.isEmpty || !scans.isEmpty || inspector.directoryCount > 0 }

  /// How many more directories may be opened now; a few always, because scans may wait for what they have found.
  var directoryLimit: Int { max(8, Self.openLimit - scans.count) }

  func scan(_ id: Int32, deep: Bool) {
    queue.add(id, deep: deep)
  }

  /// Scans all of a zone, if its root is watched.
  func scan(_ zone: WatchedZone) {
    if let root = zone.root.directory { queue.add(root, deep: true) }
  }

  /// Scans an open directory next.
  func scan(_ id: Int32, _ directory: Directory) {
    generation += 1
    scans.append(DirectoryScan(id, isDeep: true, generation: generation, source: .opened(directory)))
  }

  /// Scans the directories whose time has come.
  func scanDue(at now: Duration) {
    for id in polls.takeDue(at: now) { queue.add(id, deep: false) }
  }

  func listAgain(in zone: WatchedZone, at now: Duration) {
    for (id, isDeep) in zone.coverage.unlisted.takeDue(at: now) { queue.add(id, deep: isDeep) }
  }

  /// Checks a zone's root soon, because its path may lead elsewhere by now.
  func checkRoot(of zone: WatchedZone) {
    zone.root.needsCheck = true
    zones.attend(to: zone)
  }

  // MARK: - Slices

  /// The next slice; nil if there is nothing to scan, or if what was found has to be opened first.
  func nextJob() -> ScanJob? {
    scans.removeAll { tree[$0.id] == nil }
    if scans.isEmpty, inspector.directoryCount < Self.foundLimit { startQueued() }
    let mayFindMore = inspector.directoryCount < Self.foundLimit
    let parts = scans.suffix(Self.openLimit).reversed().compactMap { scan -> ScanJob.Part? in
      if case .opened = scan.source { part(of: scan) } else { mayFindMore ? part(of: scan) : nil }
    }
    return parts.isEmpty ? nil : ScanJob(parts: parts, limit: Self.slice)
  }

  private func startQueued() {
    while scans.isEmpty, let (id, isDeep) = queue.next() {
      guard let node = tree[id] else { continue }
      node.zone.coverage.unlisted.begin(id)
      generation += 1
      scans.append(DirectoryScan(id, isDeep: isDeep, generation: generation, source: .route))
    }
  }

  private func part(of scan: DirectoryScan) -> ScanJob.Part? {
    guard let node = tree[scan.id], let route = tree.route(to: scan.id) else { return nil }
    return ScanJob.Part(
      directory: scan.id, generation: scan.generation, route: route, lists: node.zone.plan.lists,
      isTemporary: node.isTemporary, isWatched: node.watch != nil, source: scan.source)
  }

  func take(_ results: [ScanJob.Result], at now: Duration) {
    for result in results {
      guard let index = scans.lastIndex(where: { $0.id == result.directory }) else { continue }
      let scan = scans[index]
      for finding in result.findings { take(finding, in: scan, at: now) }
      switch result.end {
      case .opened(let directory):
        watch(scan.id, directory)
        scan.source = .opened(directory)
      case .more(let listing):
        scan.source = .listing(listing)
      case .complete:
        scans.remove(at: index)
        end(scan, at: now)
      case .failed(let error):
        scans.remove(at: index)
        cannotList(scan.id, error, deep: scan.isDeep)
      }
    }
  }

  private func take(_ finding: Finding, in scan: DirectoryScan, at now: Duration) {
    take(finding, at: now)
    let name = finding.request.key.name
    guard case .present(let status, _) = finding.outcome, status.kind == .directory,
      let child = tree[scan.id]?.children[name]
    else { return }
    scan.seen.insert(name)
    if scan.isDeep { queue.add(child, deep: true) }
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

  func take(_ findings: [Finding], at now: Duration) {
    for finding in findings { take(finding, at: now) }
  }

  private func take(_ finding: Finding, at now: Duration) {
    let key = finding.request.key
    switch inspector.take(finding, at: now) {
    case .none: break
    case .appeared: polls.noteActivity(in: key.directory, at: now)
    case .directory(let found): take(found, at: now)
    case .unlisted(let error): cannotList(key.directory, error, deep: false)
    }
    if finding.request.entry.purpose.contains(.unseen) { dropUnseen(finding) }
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
