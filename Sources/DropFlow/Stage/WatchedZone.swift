import DropEngine
import DropSystem

/// A zone as the staging area keeps it. A class: the staged are many, and a value would be copied when one of them changes.
final class WatchedZone {
  let plan: ZonePlan
  let flow: ZoneFlow
  var staging: Staging
  /// Where `Path=` leads. Once that is known, or was no link when the zones were read, a link put there later is not
  /// followed: whoever may write beside a zone could empty any directory through it.
  var resolvedPath: String
  var isResolved = false
  private(set) var mayBeLink: Bool
  var root: Int32?
  /// Why the zone cannot be used: missing, not mounted.
  var unavailable: String?
  var isPaused = false
  /// Between claim and place, by flow: a reload leaves the old one to finish what it has.
  var hands: [ObjectIdentifier: FlowLoad] = [:]
  /// Asked again after not yet: in hand, and lighting the zone still.
  var askedAgain: Set<DropID> = []
  /// What goes with a file that is about to reappear, since when that is so; or was known before a restart.
  var origins: [FileIdentity: (origin: StagedPayload.Origin, since: Duration)] = [:]
  var earlier: [UInt64: AttemptCount] = [:]
  var taken = CopiedOriginals()
  /// What was taken, and is to be told from something new by its bytes.
  var comparing: Set<RawPath> = []
  var accepted = 0
  var rejected = 0
  var last: Receipt?
  var gone = GonePayloads()
  /// In flight when their directory was taken out of the tree, and where they were; nil where all of the zone went.
  var leaving: [PayloadKey: RawPath?] = [:]
  var sessions: ZoneSessions
  /// The payload that a session was about last.
  var lastLocation = RawPath(bytes: [])
  /// Who is asked and told, where the program wants to be.
  var live: LiveZone?
  var isAfterCrash = false
  /// Whether the log has been told that something waits for a place.
  var isBlockLogged = false
  /// Directories that could not be watched, and are scanned instead.
  var unwatched: Set<Int32> = []
  var unlisted: [Int32: StagingArea.Unlisted] = [:]
  /// What was published last, for telling what changed.
  var publishedTargeted: Bool?
  var isDirty = true
  var nextPublish: Duration = .zero
  var nextFullScan: Duration
  /// The zone's own among the deadlines of all, and what tells it from those it had before.
  var deadline: Duration?
  var deadlineStamp: UInt32 = 0
  /// Complete but for a writer, to be asked when fewer are on their way to the claim.
  var postponedAsks = PostponedAsks()

  init(plan: ZonePlan, flow: ZoneFlow, staging: Staging, nextFullScan: Duration) {
    self.plan = plan
    self.flow = flow
    self.staging = staging
    self.nextFullScan = nextFullScan
    resolvedPath = plan.settings.path
    mayBeLink = isLink(plan.settings.path)
    sessions = ZoneSessions(stalled: plan.settings.staging.stalled)
  }

  /// An operator vouches for what the path leads to now.
  func forgetResolvedPath() {
    isResolved = false
    mayBeLink = isLink(settings.path)
  }

  struct FlowLoad {
    var count = 0
    var blocked: String?
  }

  var settings: ZoneSettings { plan.settings }
  var inHand: Int { hands.values.reduce(0) { $0 + $1.count } }
  var blocked: String? { hands.values.lazy.compactMap(\.blocked).first }
  /// Lit as well while something that was arriving may be on its way to another name.
  var isTargeted: Bool { staging.arriving > 0 || gone.arriving > 0 || !askedAgain.isEmpty }
}

/// Whether the last part of a path is a symbolic link.
func isLink(_ path: String) -> Bool {
  (try? FileStatus.read(at: RawPath(path), in: FileDescriptor.workingDirectory))?.kind == .symbolicLink
}
