/// Everything that is said of one zone: where it is, what it takes, and how.
///
/// The groups and their keys are those of a zone file; the values here are its defaults.
package struct ZoneSettings: Hashable, Sendable {
  package var name: String
  /// Absolute, as written.
  package var path: String
  package var box: String
  /// Where refused payloads end; the box with `.rejects` appended unless said.
  package var rejects: String
  /// Where claimed payloads wait, when it was said.
  package var hold: String?
  package var unit = Unit.file
  package var recursive = true
  package var prune = false
  /// The places without which, as mount points, the zone is unavailable.
  package var requireMount: Set<Place> = []
  package var title = "Drop here"
  package var hint = "Release to add"
  package var symbol = "tray.and.arrow.down"
  package var tint = "blue"
  package var accept = AcceptRules()
  package var staging = StagingRules()
  package var handler = HandlerRules()
  package var delivery = DeliveryRules()

  package init(name: String, path: String, box: String, rejects: String? = nil) {
    self.name = name
    self.path = path
    self.box = box
    self.rejects = rejects ?? box + ".rejects"
  }

  package enum Unit: String, Hashable, Sendable, CaseIterable { case file, directory }
  package enum Place: String, Hashable, Sendable, CaseIterable { case zone, box, rejects }
}

/// `[Accept]`: what a zone takes.
package struct AcceptRules: Hashable, Sendable {
  /// Types as written: `application/pdf`, `image/*`, `text/plain+`, `public.image`. Empty: all.
  package var types: [String] = []
  /// Which proofs of a type are enough.
  package var grades: Set<Grade> = [.proved, .narrowed]
  /// Bytes; nil refuses what is empty, 0 takes it.
  package var minSize: Int64?
  /// Bytes.
  package var maxSize: Int64?
  /// Payloads a session.
  package var maxItems: Int?
  /// Globs over the last component; what no one matches is left alone. Empty: every name.
  package var names: [String] = []
  package var excludeNames: [String] = []

  package init() {}
}

/// How far a payload's type is known, weakest first.
package enum Grade: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// The name says something else than the content.
  case contradicted
  /// The content says nothing.
  case unproved
  /// The name says more than the content can, and fits it.
  case narrowed
  /// The content says so.
  case proved

  private var rank: Int {
    switch self {
    case .contradicted: 0
    case .unproved: 1
    case .narrowed: 2
    case .proved: 3
    }
  }

  package static func < (a: Grade, b: Grade) -> Bool { a.rank < b.rank }
}

/// `[Staging]`: when a payload counts as complete.
package struct StagingRules: Hashable, Sendable {
  package var quiet = Duration.seconds(1)
  package var emptyGrace = Duration.seconds(10)
  package var stalled = Duration.seconds(600)
  package var rescan = Duration.seconds(300)
  /// Globs added to the shipped lists.
  package var ignore: [String] = []
  package var temporary: [String] = []
  /// The suffix of the file that announces a payload, such as `.done`.
  package var marker: String?

  package init() {}
}

/// `[Handler]`: who decides.
package struct HandlerRules: Hashable, Sendable {
  /// The program and its arguments; nil where none is set.
  package var command: [String]?
  package var mode = Mode.once
  package var timeout = Duration.seconds(30)
  package var attempts = 5
  package var workers = 1
  /// Whether the handler may change its payload.
  package var changes = false

  package init() {}

  package enum Mode: String, Hashable, Sendable, CaseIterable { case once, stream }
}

/// `[Delivery]`: how what was accepted reaches the box.
package struct DeliveryRules: Hashable, Sendable {
  package var operation = Operation.move
  package var collision = Collision.rename
  package var durable = true
  package var digest = DigestRule.auto
  /// Whether the directories of the location are left out below the box.
  package var flatten = false
  package var owner = Ownership.keep
  package var group = Ownership.inherit
  package var permissions = Permissions.inherit

  package init() {}

  /// Changes nothing of what a file has: for rejects, and on the way.
  package static var asItIs: DeliveryRules {
    var rules = DeliveryRules()
    rules.group = .keep
    rules.permissions = .keep
    return rules
  }

  package enum Operation: String, Hashable, Sendable, CaseIterable { case move, copy }
  package enum Collision: String, Hashable, Sendable, CaseIterable {
    case rename, reject, replace
    case keepIdentical = "keep-identical"
  }
  package enum DigestRule: String, Hashable, Sendable, CaseIterable { case auto, yes, no }

  /// Whose the delivered file is; `inherit` is for groups, `daemon` for owners.
  package enum Ownership: Hashable, Sendable {
    case keep, daemon, inherit
    case named(String)
  }

  package enum Permissions: Hashable, Sendable {
    case inherit, keep
    /// Nine bits.
    case fixed(UInt32)

    package var isFixed: Bool {
      if case .fixed = self { true } else { false }
    }
  }
}
