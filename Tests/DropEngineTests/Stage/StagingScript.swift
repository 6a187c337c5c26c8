@testable import DropEngine

/// The staging of a zone with a clock that the test controls.
///
/// A step is about the file `a`, unless it names another. An inspection finds the file as the last `write` left it.
struct StagingScript {
  var staging: Staging
  var now = Duration.seconds(1000)
  private var files: [PayloadKey: FileStatus] = [:]
  private var made: UInt64 = 0

  init(takesEmpty: Bool = false, _ change: (inout StagingRules) -> Void = { _ in }) {
    var rules = StagingRules()
    change(&rules)
    staging = Staging(rules: rules, takesEmpty: takesEmpty) { [NameTie(.whole, $0.bytes.dropLast(".part".utf8.count))] }
  }

  static func key(_ name: String) -> PayloadKey { PayloadKey(directory: 1, name: RawPath(name)) }

  static func kind(_ name: String) -> PayloadKind {
    name.hasSuffix(".part") ? .temporary(renamesFailures: false) : name.hasSuffix(".done") ? .marker : .ordinary
  }

  mutating func wait(_ time: Duration) { now += time }

  /// Inspects the file without changing it.
  mutating func inspect(
    _ name: String = "a", _ hint: StagingHint = [], kind: PayloadKind? = nil, evidence: Evidence = .lease,
    ordinal: Int? = nil
  ) -> Staging.Next {
    let key = Self.key(name)
    let status = files[key] ?? make(key, 1)
    made += 1
    return staging.see(
      key, status, kind ?? Self.kind(name), evidence: evidence, hint: hint, at: now,
      new: StagedPayload.Origin(
        id: DropID(milliseconds: made, high: 0, low: 0), firstSeen: Int64(made), ordinal: ordinal))
  }

  /// Writes the file, creates it if it is missing, and inspects it.
  mutating func write(
    _ name: String = "a", size: Int64 = 1, _ hint: StagingHint = .written, evidence: Evidence = .lease
  ) -> Staging.Next {
    let key = Self.key(name)
    var status = files[key] ?? make(key, size)
    status.size = size
    status.modified += 1
    status.changed += 1
    files[key] = status
    return inspect(name, hint, evidence: evidence)
  }

  /// Replaces the file with another one, and inspects it.
  mutating func replace(
    _ name: String = "a", size: Int64 = 1, links: UInt32 = 1, _ hint: StagingHint = .renamed,
    evidence: Evidence = .lease
  ) -> Staging.Next {
    let key = Self.key(name)
    var status = make(key, size)
    status.links = links
    files[key] = status
    return inspect(name, hint, evidence: evidence)
  }

  mutating func lose(_ name: String) { _ = staging.lose(Self.key(name)) }

  mutating func answer(_ writer: Staging.Writer, _ name: String = "a") -> Staging.Next {
    staging.answer(Self.key(name), writer, at: now)
  }

  mutating func putBack(_ waiting: Waiting?, endsAtChange: Bool = false) -> Staging.Next {
    staging.putBack(Self.key("a"), waiting, "because", endsAtChange: endsAtChange, at: now)
  }

  mutating func reconsider(_ name: String = "a") -> Staging.Next { staging.reconsider(Self.key(name), at: now) }

  /// The names that are due.
  mutating func due() -> [String] { staging.due(at: now).map(\.name.description).sorted() }

  subscript(name: String) -> StagedPayload? { staging[Self.key(name)] }

  /// Why `a` waits.
  var waiting: Waiting? { self["a"]?.waiting }

  /// The time until the next inspection of `a`.
  var rest: Duration? { self["a"]?.nextInspection.map { $0 - now } }

  private mutating func make(_ key: PayloadKey, _ size: Int64) -> FileStatus {
    made += 1
    let status = FileStatus(kind: .regular, identity: FileIdentity(device: 1, inode: made, birth: 1), size: size)
    files[key] = status
    return status
  }
}
