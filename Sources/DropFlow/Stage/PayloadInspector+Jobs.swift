import DropEngine
import DropSystem

/// What is asked of a place next.
extension PayloadInspector {
  /// What is to be inspected at a place next; nil if nothing is.
  func nextJob(at place: FileSystemQueue) -> (job: InspectionJob, subject: FileSystemQueue.Subject)? {
    var job = InspectionJob(openReleases: openReleases)
    var subject = FileSystemQueue.Subject()
    while job.count < Self.batch, let work = place.nextWithNames() { fill(&job, from: work, &subject) }
    if job.count > 0 { return (job, subject) }
    for (work, names, scanNames) in subject.works {
      work.finish(names, scanNames: scanNames)
      work.requeue()
    }
    return nil
  }

  /// Adds names of one zone.
  private func fill(_ job: inout InspectionJob, from work: FileSystemWork, _ subject: inout FileSystemQueue.Subject) {
    var (names, scanNames) = (0, 0)
    // A few always, because scans may wait for what they have found.
    var openCount = max(8, Self.openLimit - work.scans.open.count)
    while job.count < Self.batch, let (key, entry) = work.nextName(mayOpen: openCount > 0) {
      names += 1
      if entry.purpose.isPartOfScan { scanNames += 1 }
      if entry.purpose.contains(.directory) { openCount -= 1 }
      if add(key, entry, to: &job) { subject.names.insert(key) }
    }
    subject.works.append((work, names, scanNames))
  }

  private func add(_ key: PayloadKey, _ entry: InspectionQueue.Entry, to job: inout InspectionJob) -> Bool {
    guard let node = tree[key.directory] else { return false }
    let kind = entry.purpose.contains(.probe) ? .ordinary : node.nameKind(of: key.name)
    guard kind != .junk else {
      lose(key, in: node.zone)
      return false
    }
    var request = InspectionRequest(key: key, entry: entry, kind: kind)
    request.writerCheck = writerCheck(key, entry, kind, node)
    request.child = node.children[key.name].flatMap { tree[$0]?.identity }
    request.opensDirectory = entry.purpose.contains(.directory) && node.zone.settings.recursive
    job.add(request, by: tree.route(to: key.directory))
    return true
  }

  /// Whether a payload will probably be complete but for its writers: then both questions are one job.
  private func writerCheck(
    _ key: PayloadKey, _ entry: InspectionQueue.Entry, _ kind: NameKind, _ node: DirectoryNode
  ) -> InspectionRequest.WriterCheck {
    let zone = node.zone
    guard kind == .ordinary, zone.staging.blocked == nil, !zone.staging.isPaused, zone.staging.hasRoomInFlight else {
      return .never
    }
    if let payload = zone.staging[key] {
      let isDue = !entry.purpose.isDisjoint(with: [.writers, .due])
      return isDue && entry.hint.isEmpty && payload.name == .ordinary ? .ifUnchanged(since: payload.status) : .never
    }
    let cameComplete = entry.hint.contains(.renamed) && entry.hint.isDisjoint(with: [.written, .fromUntrusted])
    return cameComplete && node.kind.evidence == .lease && zone.plan.wants(key.name) ? .ifRegular : .never
  }
}
