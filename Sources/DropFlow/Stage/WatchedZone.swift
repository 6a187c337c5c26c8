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

  init(_ plan: ZonePlan, _ flow: ZoneFlow, history: ZoneHistory) {
    self.plan = plan
    self.flow = flow
    staging = Self.staging(for: plan)
    root = ZoneRoot(declared: plan.settings.path)
    files = KnownFiles(earlier: history.attempts)
    originals = CopiedOriginals(history.originals)
    report = ZoneReport(accepted: history.totals.accepted, rejected: history.totals.rejected, last: history.last)
    sessions = ZoneSessions(stalled: plan.settings.staging.stalled)
    schedule = ZoneSchedule(nextFullScan: monotonicNow() + plan.settings.staging.rescan)
    coverage.isAfterCrash = history.isAfterCrash
    staging.isPaused = history.isPaused
  }

  private static func staging(for plan: ZonePlan) -> Staging {
    let lists = plan.lists
    return Staging(rules: plan.settings.staging, takesEmpty: plan.settings.accept.minSize == 0) {
      lists.ties(ofTemporary: $0)
    }
  }

  /// Begins again with other settings, after the tree was taken down: its payloads are expected to reappear.
  func reconfigure(_ plan: ZonePlan, _ flow: ZoneFlow, at now: Duration) {
    let (isPaused, sessionItems) = (staging.isPaused, staging.sessionItems)
    self.plan = plan
    self.flow = flow
    staging = Self.staging(for: plan)
    staging.isPaused = isPaused
    staging.sessionItems = sessionItems
    root = ZoneRoot(declared: plan.settings.path)
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
}
