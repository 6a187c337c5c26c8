/// Renames of which only the first half has been read: what has left a name and may turn up under another.
package struct PendingRenames: Sendable {
  /// A directory on its way.
  package struct Directory: Hashable, Sendable {
    package let id: Int32
    /// Where it was.
    package let location: RawPath
    let since: Duration
  }

  static let grace = DepartedPayloads.grace

  /// By the cookie that both halves of a rename have.
  private var directories: [UInt32: Directory] = [:]
  /// Files whose old names are of a kind that also renames what was cut off.
  private var untrusted: [UInt32: (zone: ObjectIdentifier, since: Duration)] = [:]

  package init() {}

  package var hasDirectories: Bool { !directories.isEmpty }
  package var untrustedCount: Int { untrusted.count }

  package mutating func addDirectory(_ id: Int32, at location: RawPath, cookie: UInt32, at now: Duration) {
    directories[cookie] = Directory(id: id, location: location, since: now)
  }

  /// Returns the directory whose rename this cookie ends, and forgets it.
  package mutating func takeDirectory(cookie: UInt32) -> Directory? {
    directories.removeValue(forKey: cookie)
  }

  /// Returns the directory if it is on its way, and forgets that it is.
  package mutating func takeDirectory(_ id: Int32) -> Directory? {
    guard let cookie = directories.first(where: { $0.value.id == id })?.key else { return nil }
    return takeDirectory(cookie: cookie)
  }

  /// Takes out the directories that have not turned up in time.
  package mutating func takeOverdueDirectories(at now: Duration) -> [Directory] {
    guard !directories.isEmpty else { return [] }
    let overdue = directories.filter { $0.value.since + Self.grace <= now }
    for cookie in overdue.keys { directories[cookie] = nil }
    return Array(overdue.values)
  }

  /// When the first directory is overdue.
  package var deadline: Duration? { directories.values.map { $0.since + Self.grace }.min() }

  /// Notes that a file has left a name whose renames prove nothing.
  package mutating func addUntrusted(cookie: UInt32, zone: ObjectIdentifier, at now: Duration) {
    untrusted[cookie] = (zone, now)
  }

  /// Whether this rename comes from an untrusted name in the same zone; it is forgotten with the answer.
  package mutating func takeUntrusted(cookie: UInt32, zone: ObjectIdentifier) -> Bool {
    !untrusted.isEmpty && untrusted.removeValue(forKey: cookie)?.zone == zone
  }

  /// Forgets untrusted files whose second half has not come: the kernel reports the halves one right after the other.
  package mutating func forgetUntrusted(at now: Duration) {
    if !untrusted.isEmpty { untrusted = untrusted.filter { $0.value.since + Self.grace > now } }
  }
}
