package import DropEngine
import DropSystem

/// A zone's settings, made ready for use.
package struct ZonePlan: Sendable {
  package let settings: ZoneSettings
  package let lists: NameLists
  package let types: [TypePattern]
  package let names: [Glob]
  package let excludedNames: [Glob]
  /// Who decides, where somebody does.
  package let handler: (any DropHandler)?

  /// Compiles what the settings say; the patterns have been looked at when the settings were read.
  package init(settings: ZoneSettings, types: [TypePattern], handler: (any DropHandler)?) throws(GlobError) {
    self.settings = settings
    lists = try NameLists(ignore: settings.staging.ignore, temporary: settings.staging.temporary)
    self.types = types
    names = try Self.globs(settings.accept.names)
    excludedNames = try Self.globs(settings.accept.excludeNames)
    self.handler = handler
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

/// Who decides on a claimed payload: a command, or a function of the program.
package protocol DropHandler: Sendable {
  /// Decides on `drop`, whose bytes lie at `path`, an absolute path in the hold.
  ///
  /// Returns once the decision is made, the time is over, or the task was cancelled.
  func decide(on drop: Drop, at path: String) async -> HandlerDecision
}

/// What came of asking a handler.
package struct HandlerDecision: Sendable {
  package var outcome: HandlerOutcome
  package var report: Receipt.HandlerReport?
  /// When to ask again after not yet, where the handler said.
  package var retryAfter: Duration?

  package init(_ outcome: HandlerOutcome, report: Receipt.HandlerReport? = nil, retryAfter: Duration? = nil) {
    self.outcome = outcome
    self.report = report
    self.retryAfter = retryAfter
  }
}
