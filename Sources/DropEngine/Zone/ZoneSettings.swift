/// The settings of a zone: where it is, what it accepts, and how.
///
/// The groups and keys are those of a zone file, and the values here are their defaults.
package struct ZoneSettings: Hashable, Sendable {
  package var name: String
  /// The absolute path, as written.
  package var path: String
  package var box: String
  /// The directory for refused payloads; by default, the box with `.rejects` appended.
  package var rejects: String
  /// The directory for claimed payloads, if it is configured.
  package var hold: String?
  package var unit = Unit.file
  package var recursive = true
  package var prune = false
  /// The directories that must be mount points; while one is not, the zone is unavailable.
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

/// `[Accept]`: which payloads a zone accepts.
package struct AcceptRules: Hashable, Sendable {
  /// The types as written: `application/pdf`, `image/*`, `text/plain+`, `public.image`. If empty, all types are accepted.
  package var types: [String] = []
  /// The accepted grades.
  package var grades: Set<Grade> = [.proved, .narrowed]
  /// The minimum size in bytes. Nil refuses empty files, and 0 accepts them.
  package var minSize: Int64?
  /// The maximum size in bytes.
  package var maxSize: Int64?
  /// The maximum number of payloads per session.
  package var maxItems: Int?
  /// Globs for the last component; files that match none of these are left alone. If empty, all names are accepted.
  package var names: [String] = []
  package var excludeNames: [String] = []

  package init() {}
}

/// How certain the type of a payload is, least certain first.
package enum Grade: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// The content excludes the type that the name claims.
  case contradicted
  /// The content says nothing about its type.
  case unproved
  /// The name claims a more specific type than the content can prove, and the content fits it.
  case narrowed
  /// The content proves the type.
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
  /// Globs that are added to the built-in lists.
  package var ignore: [String] = []
  package var temporary: [String] = []
  /// The suffix of the file that announces a payload, such as `.done`.
  package var marker: String?

  package init() {}
}

/// `[Handler]`: the handler that decides.
package struct HandlerRules: Hashable, Sendable {
  /// The program and its arguments; nil if there is none.
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

/// `[Delivery]`: how accepted payloads get into the box.
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

  /// Keeps all metadata of a file; used for rejects, and before the final delivery.
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

  /// The owner or group of the delivered file; `inherit` is for groups, and `daemon` for owners.
  package enum Ownership: Hashable, Sendable {
    case keep, daemon, inherit
    case named(String)
  }

  package enum Permissions: Hashable, Sendable {
    case inherit, keep
    /// A mode of nine bits.
    case fixed(UInt32)

    package var isFixed: Bool {
      if case .fixed = self { true } else { false }
    }
  }
}
