package import DropEngine
import DropSystem

/// A zone's settings, made ready for use.
package struct ZonePlan: Sendable {
  package let settings: ZoneSettings
  package let lists: NameLists
  package let types: [TypePattern]
  /// Types that only the program knows, where it declares some.
  package let ownTypes: OwnTypes?
  package let names: [Glob]
  package let excludedNames: [Glob]
  /// Who decides, where somebody does.
  package let handler: (any DropHandler)?
  /// Who says how a payload would be taken, where somebody does.
  package let configuration: (any LiveConfiguration)?
  /// Who is told of the zone's light and sessions.
  package let watcher: (any ZoneWatcher)?

  /// Compiles what the settings say; the patterns have been looked at when the settings were read.
  package init(
    settings: ZoneSettings, types: [TypePattern], ownTypes: OwnTypes? = nil, handler: (any DropHandler)?,
    configuration: (any LiveConfiguration)? = nil, watcher: (any ZoneWatcher)? = nil
  ) throws(GlobError) {
    self.settings = settings
    lists = try NameLists(ignore: settings.staging.ignore, temporary: settings.staging.temporary)
    self.types = types
    self.ownTypes = ownTypes
    names = try Self.globs(settings.accept.names)
    excludedNames = try Self.globs(settings.accept.excludeNames)
    self.handler = handler
    self.configuration = configuration
    self.watcher = watcher
  }

  private static func globs(_ patterns: [String]) throws(GlobError) -> [Glob] {
    var globs: [Glob] = []
    for pattern in patterns { globs.append(try Glob(pattern)) }
    return globs
  }

  package var name: String { settings.name }

  /// Whether `Names=` and `ExcludeNames=` leave a name to this zone; others are left alone.
  package func wants(_ name: RawPath) -> Bool {
    (names.isEmpty || names.contains { $0.matches(name) }) && !excludedNames.contains { $0.matches(name) }
  }
}

/// Types that the MIME database does not have.
package struct OwnTypes: Sendable {
  /// Whether content and name make a payload one of them.
  package var matches: @Sendable (_ typed: TypedContent, _ name: RawPath) -> Bool
  /// Whether a name says that it is one of them.
  package var isClaimed: @Sendable (_ name: RawPath) -> Bool

  package init(
    matches: @escaping @Sendable (TypedContent, RawPath) -> Bool, isClaimed: @escaping @Sendable (RawPath) -> Bool
  ) {
    self.matches = matches
    self.isClaimed = isClaimed
  }
}

extension ZonePlan {
  /// Whether the zone takes what a payload was found to be; without types it takes all.
  func takes(_ typed: TypedContent, name: RawPath, by typer: ContentTyper) -> Bool {
    if settings.accept.types.isEmpty || ownTypes?.matches(typed, name) == true { return true }
    return !types.isEmpty && typer.matches(typed, patterns: types)
  }

  /// Whether a payload of this name may turn out to be something that the zone takes.
  func mayTake(name: RawPath, by typer: ContentTyper) -> Bool {
    ownTypes?.isClaimed(name) == true
      || typer.mayMatch(name: name, patterns: types, grades: settings.accept.grades)
  }
}

/// Who decides on claimed payloads: a command, or a function of the program.
package protocol DropHandler: Sendable {
  /// How many payloads it is asked about together, at most.
  var batchLimit: Int { get }

  /// Decides on `payloads`, which are of one session and never none, and answers each by its id.
  ///
  /// An answer may come at any time before this returns and in any order; only the first for an id counts. While it
  /// runs it has one of the zone's workers. Returns soon after its task was cancelled.
  func decide(
    on payloads: [HeldPayload], answer: @escaping @Sendable (DropID, HandlerDecision) async -> Void
  ) async

  /// Lets go of what is kept between calls; nobody is asked any more.
  func close() async
}

extension DropHandler {
  package func close() async {}
}

/// A payload in the hold, as its handler is asked about it.
package struct HeldPayload: Sendable {
  package var drop: Drop
  /// Absolute, in the hold.
  package var path: String
  /// The session it was released in; nil when it was found after a restart.
  package var session: DropID?
}

/// What came of asking a handler.
package struct HandlerDecision: Sendable {
  package var outcome: HandlerOutcome
  package var report: Receipt.HandlerReport?
  /// When to ask again after not yet, where the handler said.
  package var retryAfter: Duration?
  /// The time is over and the call goes on: its worker is not free before it returns.
  package var isOverdue = false

  package init(_ outcome: HandlerOutcome, report: Receipt.HandlerReport? = nil, retryAfter: Duration? = nil) {
    self.outcome = outcome
    self.report = report
    self.retryAfter = retryAfter
  }
}
