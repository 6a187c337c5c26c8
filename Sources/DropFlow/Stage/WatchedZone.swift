package import DropEngine
import DropSystem

/// A zone as staging keeps it, until it is removed; a reload gives it another plan and flow.
///
/// It is a class because the payloads are many, and a value would be copied whenever one of them changes.
final class WatchedZone {
  private(set) var plan: ZonePlan
  private(set) var flow: ZoneFlow
  var staging: Staging
  var root: ZoneRoot
  var files: KnownFiles
  var originals: CopiedOriginals
  var coverage = ScanCoverage()
  var load = ZoneLoad()
  var report: ZoneReport
  var sessions: ZoneSessions
  /// Whom the program wants to be asked and told.
  var live: LiveZone?
  var schedule: ZoneSchedule
  /// Whether the zone is watched: what an earlier process left is recovered before.
  private(set) var isOpen = false
  /// What an operator decided before that, which is newer than the history.
  private var earlyPause: Bool?

  /// The clocks and ids of its flow.
  var time: TimeSource { flow.time }

  /// - Parameter place: Stands for the zone's path.
  init(_ plan: ZonePlan, _ flow: ZoneFlow, at place: FileSystemQueue) {
    self.plan = plan
    self.flow = flow
    staging = Self.staging(for: plan)
    root = ZoneRoot(declared: plan.settings.path, at: place)
    files = KnownFiles(earlier: [])
    originals = CopiedOriginals([])
    report = ZoneReport(accepted: 0, rejected: 0, last: nil)
    sessions = ZoneSessions(stalled: plan.settings.staging.stalled)
    schedule = ZoneSchedule(nextFullScan: flow.time.now + plan.settings.staging.rescan)
  }

  /// Begins with what is known of the zone; what its flow reported until now is part of that.
  func begin(with history: ZoneHistory) {
    isOpen = true
    files = KnownFiles(earlier: history.attempts)
    originals = CopiedOriginals(history.originals)
    report = ZoneReport(accepted: history.totals.accepted, rejected: history.totals.rejected, last: history.last)
    coverage.isAfterCrash = history.isAfterCrash
    coverage.probed = []
    staging.isPaused = earlyPause ?? history.isPaused
    earlyPause = nil
  }

  func setPaused(_ isPaused: Bool) {
    staging.isPaused = isPaused
    if !isOpen { earlyPause = isPaused }
  }

  private static func staging(for plan: ZonePlan) -> Staging {
    let lists = plan.lists
    return Staging(rules: plan.settings.staging, takesEmpty: plan.settings.accept.minSize == 0) {
      lists.ties(ofTemporary: $0)
    }
  }

  /// Whether the zone is being scanned or its root is being opened, or neither has begun.
  var isScanning: Bool { !isOpen || root.place.call != nil || coverage.works.contains(where: \.isScanning) }

  /// Begins again with other settings, after the tree was taken down: its payloads are expected to reappear.
  func reconfigure(_ plan: ZonePlan, _ flow: ZoneFlow, at now: Duration) {
    let (isPaused, sessionItems) = (staging.isPaused, staging.sessionItems)
    self.plan = plan
    self.flow = flow
    staging = Self.staging(for: plan)
    staging.isPaused = isPaused
    staging.sessionItems = sessionItems
    root = ZoneRoot(declared: plan.settings.path, at: root.place)
    coverage.isScanWanted = true
    coverage.probed = []
    files.departed = DepartedPayloads()
    files.leaving = [:]
    load.askedAgain = []
    load.isBlockLogged = false
    sessions.stalled = plan.settings.staging.stalled
    schedule.nextFullScan = now + plan.settings.staging.rescan
  }

  var settings: ZoneSettings { plan.settings }
  var name: String { plan.settings.name }

  /// Whether the zone is lit: also while a payload that was arriving may be on its way to another name, and while one is
  /// asked about again.
  var isTargeted: Bool {
    staging.arriving > 0 || files.departed.arriving > 0 || !load.askedAgain.isEmpty
  }
}

/// What is known of a zone when it is added, from the ledger.
package struct ZoneHistory: Sendable {
  package var attempts: [AttemptCount] = []
  package var originals: [CopiedOriginal] = []
  package var totals = ZoneTotals()
  package var last: Receipt?
  package var isPaused = false
  /// Whether the machine stopped without the daemon's knowledge before this start.
  package var isAfterCrash = false

  package init() {}
}

/// How completely events and scans cover a zone.
struct ScanCoverage {
  /// Directories that could not be watched, and are scanned instead.
  var unwatched: Set<Int32> = []
  var unlisted = UnlistedDirectories()
  /// Whether the zone has not been scanned completely since a boot that followed no clean stop.
  var isAfterCrash = false
  /// Whether a scan of the zone, or of a part of it, has been asked for and is not over.
  var isScanWanted = true
  /// What is to be asked of the places that the zone is reached through.
  var works: [FileSystemWork] = []
  /// For directories on which something is mounted: what is to be asked there first, by their locations.
  var mounts: [RawPath: FileSystemWork] = [:]
  /// Boxes and other places that the zone's payloads wait for, and that are only asked whether they answer.
  var probed: [(path: String, place: FileSystemQueue)] = []
  /// Whether one of them, or the ledger, is on a file system that a server answers for.
  var dependsOnServer = false
  /// When payloads had left their names, and how much was to be inspected then, until it is known what became of them.
  var departure: InspectionBarrier?

  /// Whether everything that was queued so far is inspected.
  var isInspected: Bool { works.allSatisfy(\.isInspected) }

  /// The names in a directory on which something is mounted.
  func mounts(in location: RawPath) -> Set<RawPath> {
    mounts.isEmpty ? [] : Set(mounts.keys.filter { $0.parent == location }.map(\.lastComponent))
  }
}

/// A moment, and what was to be inspected then.
struct InspectionBarrier {
  let moment: Duration
  private let works: [(work: FileSystemWork, count: Int)]

  init(_ zones: [WatchedZone], at now: Duration) {
    moment = now
    works = zones.flatMap(\.coverage.works).filter { !$0.isInspected }.map { ($0, $0.counts.queued) }
  }

  /// Whether all of it is inspected; what a silent place has to say is not waited for.
  var isPassed: Bool { works.allSatisfy { $0.work.place.isSilent || $0.work.isInspected(through: $0.count) } }
}

/// What flows have in hand of a zone's payloads.
struct ZoneLoad {
  /// Between claim and place, by the observer of each flow: after a reload the old one finishes what it has.
  private var flows: [ObjectIdentifier: (count: Int, blocked: String?)] = [:]
  /// Payloads that are asked about again after not yet: they are in hand, and light the zone nevertheless.
  var askedAgain: Set<DropID> = []
  /// Whether the log says that payloads wait for a place.
  var isBlockLogged = false

  var inHand: Int { flows.values.reduce(0) { $0 + $1.count } }
  /// Why a flow cannot go on.
  var blocked: String? { flows.values.lazy.compactMap(\.blocked).first }

  mutating func set(_ count: Int, blocked: String?, of flow: ObjectIdentifier) {
    flows[flow] = count == 0 && blocked == nil ? nil : (count, blocked)
  }
}

/// What is published of a zone apart from its payloads, and when it was published last.
struct ZoneReport {
  var accepted: Int
  var rejected: Int
  var last: Receipt?
  /// The payload that the zone's session was about last.
  var lastLocation = RawPath(bytes: [])
  var publishedTargeted: Bool?
  var hasChanged = true
  var nextPublish: Duration = .zero

  init(accepted: Int, rejected: Int, last: Receipt?) {
    self.accepted = accepted
    self.rejected = rejected
    self.last = last
  }
}

/// When a zone needs attention next.
struct ZoneSchedule {
  var nextFullScan: Duration
  /// The zone's own among the deadlines of all zones, and what tells it from those it had before.
  var deadline: Duration?
  var stamp: UInt32 = 0
  /// Whether something has happened in it that the end of the turn has to deal with.
  var isTouched = false
  /// When its places are asked next whether they answer; nil while that is not wanted.
  var nextProbe: Duration?
}
