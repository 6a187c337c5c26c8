import DropEngine
import DropSystem

/// Keeps what is known of the payloads true: inspects names, asks for writers, and releases what is complete.
///
/// Events, deadlines and scans only say which names to inspect. What an inspection finds goes to the zone's `Staging`,
/// which decides.
final class PayloadInspector {
  static let deepest = 64
  static let longestLocation = 4095
  /// How many names are inspected in one go; while they are, others have their turn.
  static let batch = 512
  /// How many directories of a zone are open at a time until they are scanned.
  static let openLimit = 64

  let zones: ZoneRegistry
  let tree: DirectoryTree
  private let places: FileSystemQueues
  private let log: any FlowLog
  /// Writers that were asked for in the course of an inspection; they count once the zone has been shown as targeted.
  private var answers: [(key: PayloadKey, answer: WriterAnswer)] = []
  /// What is released in this turn, by zone.
  private var releases: [(zone: WatchedZone, batch: [Release])] = []
  /// Originals whose change time says that something was done to them, to be compared with their copies.
  private var originalsToCompare: [(zone: WatchedZone, location: RawPath)] = []
  /// Released files that are still open for their claim: the program may need most of its descriptors for itself.
  let openReleases = OpenFileBudget(limit: min(1024, Machine.fileLimit / 8))

  init(zones: ZoneRegistry, tree: DirectoryTree, places: FileSystemQueues, log: any FlowLog) {
    self.zones = zones
    self.tree = tree
    self.places = places
    self.log = log
  }

  // MARK: - Requests

  /// Inspects a name soon.
  func inspect(_ key: PayloadKey, _ hint: StagingHint = [], _ purpose: InspectionPurpose = [], generation: UInt64 = 0) {
    guard let work = work(for: key) else { return }
    work.add(key, hint, purpose, generation: generation)
    places.list(work.place)
  }

  /// Inspects a name again whose status may be from before its payload left the zone.
  func inspectAgain(_ finding: Finding) {
    inspect(finding.request.key, finding.request.entry.hint, finding.request.entry.purpose)
  }

  /// Notes that a payload has left its zone: what is being found out about its name may be from before.
  func outdate(_ key: PayloadKey) {
    work(for: key)?.place.outdate(key)
  }

  /// Where a name is inspected: on the file system of its directory, unless something is mounted on the name.
  private func work(for key: PayloadKey) -> FileSystemWork? {
    guard let node = tree[key.directory] else { return nil }
    let mounts = node.zone.coverage.mounts
    return mounts.isEmpty ? node.ground.work : mounts[tree.location(of: key)] ?? node.ground.work
  }

  /// Whether there is anything to forget or to find about a name. Every claim raises an event about a name where there
  /// is not.
  func isKnown(_ key: PayloadKey, in zone: WatchedZone) -> Bool {
    zone.staging[key] != nil || work(for: key)?.contains(key) == true
  }

  /// Asks about payloads that have waited for others to be claimed.
  func askPostponed(in zone: WatchedZone, at now: Duration) {
    for key in zone.staging.takePostponed(at: now) { inspect(key, [], .writers) }
  }

  /// Carries out a decision about a payload.
  func follow(_ next: Staging.Next?, _ key: PayloadKey, in zone: WatchedZone) {
    if next == .ask { ask(key, in: zone) }
  }

  private func ask(_ key: PayloadKey, in zone: WatchedZone) {
    if zone.staging.hasRoomInFlight { inspect(key, [], .writers) } else { zone.staging.postpone(key) }
  }

  func reconsider(_ key: PayloadKey, in zone: WatchedZone, at now: Duration) {
    follow(zone.staging.reconsider(key, at: now), key, in: zone)
    zones.touch(zone)
  }

  // MARK: - Findings

  /// Tells staging what was found under a name, and returns what that means for the tree.
  func take(_ finding: Finding, at now: Duration) -> Consequence {
    let request = finding.request
    guard let node = tree[request.key.directory] else { return .none }
    switch finding.outcome {
    case .present where request.entry.purpose.contains(.probe): break
    case .present(let status, let extra):
      if status.kind == .directory {
        return .directory(FoundDirectory(request: request, status: status, extra: extra))
      }
      return see(request, status, extra, node, at: now)
    case .failed(let error):
      return takeFailure(error, request, node.zone, at: now)
    case .unreachable(let error):
      // What an event said about the name is found by the scan that is due then.
      if !request.entry.purpose.isDisjoint(with: [.due, .writers]) {
        answer(request.key, .retry("its directory cannot be opened"), at: now)
      }
      return .unlisted(error)
    }
    return .none
  }

  private func takeFailure(
    _ error: Errno, _ request: InspectionRequest, _ zone: WatchedZone, at now: Duration
  ) -> Consequence {
    if error == .noEntry {
      if request.entry.hint.contains(.renamed) { zone.files.departed.missRename(at: now) }
      lose(request.key, in: zone)
    } else if zone.staging[request.key] != nil {
      answer(request.key, .retry("it cannot be inspected: \(error)"), at: now)
      if error == .notConnected { return .unlisted(error) }
    } else if error.isPassing {
      // Nothing is known of it that could be inspected again, so its directory has to be.
      return .unlisted(error)
    }
    return .none
  }

  private func see(
    _ request: InspectionRequest, _ status: FileStatus, _ extra: Finding.Extra, _ node: DirectoryNode, at now: Duration
  ) -> Consequence {
    let (zone, key) = (node.zone, request.key)
    let location = tree.location(of: key)
    guard let kind = payloadKind(request, status, node, location) else {
      lose(key, in: zone)
      return .none
    }
    let known = zone.staging[key]
    if kind == .ordinary, known == nil, isCopied(location, status, in: zone) { return .none }
    let hasChanged = known.map { !status.isUnchanged(since: $0.status) } ?? false
    var hint = request.entry.hint
    if hasChanged, request.entry.purpose.contains(.writers) { hint.insert(.written) }
    if zone.coverage.isAfterCrash { hint.insert(.afterCrash) }
    let isNew = known == nil && !zone.staging.isInFlight(key, status.identity)
    let origin = zone.files.takeOrigin(of: status.identity, firstSeen: zones.time.wallTime)
    let next = zone.staging.see(
      key, status, kind, evidence: node.kind.evidence, hint: hint, generation: request.entry.generation, at: now,
      new: origin ?? StagedPayload.Origin(id: zones.time.newID(), firstSeen: zones.time.wallTime))
    zones.touch(zone)
    if isNew || hasChanged { zone.noteChange(of: key) }
    if isNew, let file = announced(by: key, in: zone) { reconsider(file, in: zone, at: now) }
    if next == .ask, case .writers(let answer) = extra {
      answers.append((key, answer))
    } else {
      follow(next, key, in: zone)
    }
    return isNew ? .appeared : .none
  }

  /// What kind of payload a name and a status make; nil for files that are left alone.
  private func payloadKind(
    _ request: InspectionRequest, _ status: FileStatus, _ node: DirectoryNode, _ location: RawPath
  ) -> PayloadKind? {
    let zone = node.zone
    if node.depth >= Self.deepest || location.bytes.count > Self.longestLocation {
      return .special("location-too-long")
    }
    guard status.kind == .regular else { return .special("a \(status.kind.rawValue) is never opened") }
    if case .temporary(let renames) = request.kind { return .temporary(renamesFailures: renames) }
    if let file = announced(by: request.key, in: zone) {
      let isCopied = zone.originals[location.parent.appending(file.name)] != nil
      return isCopied && zone.staging[file] == nil ? .special("its file was taken") : .marker
    }
    return zone.plan.wants(request.key.name) ? .ordinary : nil
  }

  /// The payload that a name announces, if it is that of a marker.
  private func announced(by key: PayloadKey, in zone: WatchedZone) -> PayloadKey? {
    guard let marker = zone.settings.staging.marker?.utf8, key.name.bytes.count > marker.count,
      key.name.bytes.suffix(marker.count).elementsEqual(marker)
    else { return nil }
    return PayloadKey(directory: key.directory, name: RawPath(bytes: key.name.bytes.dropLast(marker.count)))
  }

  /// Forgets a payload that has left its name; `location` is where it was if its directory is no longer in the tree.
  func lose(_ key: PayloadKey, in zone: WatchedZone, location: RawPath? = nil) {
    guard let payload = zone.staging.lose(key) else { return }
    let now = zones.time.now
    zone.live?.forget(payload.id)
    zone.files.departed.add(payload, from: location ?? tree.location(of: key), at: now)
    zones.touch(zone)
    if let file = announced(by: key, in: zone) { reconsider(file, in: zone, at: now) }
  }

  /// Whether a file was copied, or put back by an operator, and is as it was then.
  ///
  /// A file of which only the change time differs counts as copied until its bytes have been compared.
  private func isCopied(_ location: RawPath, _ status: FileStatus, in zone: WatchedZone) -> Bool {
    guard let original = zone.originals[location] else { return false }
    if let holds = original.holds(for: status) { return holds }
    originalsToCompare.append((zone, location))
    return true
  }

  // MARK: - Writers

  /// Releases payloads that have no writer, once their zones have been shown as targeted.
  func takeAnswers(at now: Duration) {
    let answers = answers
    self.answers = []
    for (key, answer) in answers { self.answer(key, answer.writer, file: answer.file, at: now) }
  }

  /// - Parameter file: The payload, if it is open.
  func answer(_ key: PayloadKey, _ writer: Staging.Writer, file: OpenFile? = nil, at now: Duration) {
    guard let zone = tree[key.directory]?.zone else { return }
    if case .unreadable(let detail) = writer, let payload = zone.staging[key], payload.waiting != .unreadable {
      log.warning(detail, zone: zone.name, id: payload.id, location: tree.location(of: key))
    }
    let next = zone.staging.answer(key, writer, at: now)
    zones.touch(zone)
    if next == .release { release(key, in: zone, file, at: now) } else { follow(next, key, in: zone) }
  }

  private func release(_ key: PayloadKey, in zone: WatchedZone, _ file: OpenFile?, at now: Duration) {
    guard let payload = zone.staging.released(key) else { return }
    if payload.attempts > 0, payload.waiting.isArriving || payload.waiting == .notYet {
      zone.load.askedAgain.insert(payload.id)
    }
    let release = Release(
      key: key, payload: payload, location: tree.location(of: key),
      marker: zone.settings.staging.marker.map { RawPath(bytes: key.name.bytes + $0.utf8) },
      mountLocation: tree.mountLocation(of: key.directory), unsyncedBytes: zone.staging.bytes, file: file,
      session: zone.session(ofReleased: payload.id, at: now), operation: zone.settings.delivery.operation)
    if let last = releases.indices.last, releases[last].zone === zone {
      releases[last].batch.append(release)
    } else {
      releases.append((zone, [release]))
    }
  }

  // MARK: - What others take from here

  func takeReleases() -> [(zone: WatchedZone, batch: [Release])] {
    defer { releases = [] }
    return releases
  }

  func takeOriginalsToCompare() -> [(zone: WatchedZone, location: RawPath)] {
    defer { originalsToCompare = [] }
    return originalsToCompare
  }
}

/// What a finding means for the tree of watched directories.
enum Consequence {
  case none
  /// A payload is new.
  case appeared
  case directory(FoundDirectory)
  /// The directory in which the name is could not be opened, or says nothing about the name.
  case unlisted(Errno)
}

/// A directory that an inspection has found in a zone.
struct FoundDirectory {
  let request: InspectionRequest
  let status: FileStatus
  let extra: Finding.Extra
}
