package import DropEngine

/// Two directories of zones that are the same, or of which one contains the other, although this is not allowed.
///
/// A payload must be in exactly one of the zone, the hold, the box and the rejects, so these must not overlap.
package struct ZoneOverlap: Error, Hashable, Sendable {
  /// The index of the zone that the error is about, which is the later of the two.
  package let zone: Int
  package let place: Place
  /// A sentence that names both directories and their real paths.
  package let message: String

  package enum Place: String, Hashable, Sendable { case zone, box, rejects, hold }

  /// Finds all overlaps among `zones`: by name, by the configured paths, by real paths, and by device and inode.
  package static func all(in zones: [ZoneSettings]) -> [ZoneOverlap] {
    var search = OverlapSearch()
    var namesakes: [ZoneOverlap] = []
    var named: [String: ZoneSettings] = [:]
    for (index, zone) in zones.enumerated() {
      search.add(zone, at: index)
      if let other = named.updateValue(zone, forKey: zone.name) {
        let message = "two zones are named '\(zone.name)': '\(RawPath(other.path))' and '\(RawPath(zone.path))'"
        namesakes.append(ZoneOverlap(zone: index, place: .zone, message: message))
      }
    }
    return namesakes + search.overlaps()
  }
}

/// The directories of all zones, indexed by path and by identity.
private struct OverlapSearch {
  private struct Entry {
    var zone: Int
    var name: String
    var place: ZoneOverlap.Place
    /// Whether the directory is not configured: a hold that the zone would choose by default.
    var isDerived: Bool
    /// Whether these are the default rejects of the box, which is the previous entry.
    var isBesideBox: Bool
    var written: RawPath
    var found: ResolvedPlace

    init(zone: Int, name: String, place: ZoneOverlap.Place, isDerived: Bool, isBesideBox: Bool, written: RawPath) {
      self.zone = zone
      self.name = name
      self.place = place
      self.isDerived = isDerived
      self.isBesideBox = isBesideBox
      self.written = written
      found = ResolvedPlace(unanswered: written)
    }
  }

  private var entries: [Entry] = []
  private var byPath: [RawPath: [Int]] = [:]
  private var byIdentity: [ResolvedPlace.Identity: [Int]] = [:]

  mutating func add(_ zone: ZoneSettings, at index: Int) {
    func add(_ path: String, _ place: ZoneOverlap.Place, derived: Bool = false) {
      let written = RawPath(path).components.reduce(RawPath("/")) { $0.appending($1) }
      entries.append(
        Entry(
          zone: index, name: zone.name, place: place, isDerived: derived,
          isBesideBox: place == .rejects && path == zone.box + ".rejects", written: written))
    }
    add(zone.path, .zone)
    add(zone.box, .box)
    add(zone.rejects, .rejects)
    if let hold = zone.hold {
      add(hold, .hold)
    } else {
      add(zone.box + ".hold", .hold, derived: true)
      add(zone.path + ".hold", .hold, derived: true)
    }
  }

  mutating func overlaps() -> [ZoneOverlap] {
    for (index, place) in ResolvedPlace.all(entries.map(\.written)).enumerated() { entries[index].found = place }
    for (index, entry) in entries.enumerated() {
      for path in Set([entry.written, entry.found.real]) { byPath[path, default: []].append(index) }
      if let identity = entry.found.identity { byIdentity[identity, default: []].append(index) }
    }
    var found: [ZoneOverlap] = []
    var seen: Set<[Int]> = []
    for inner in entries.indices {
      for outer in around(inner).sorted() where outer != inner {
        // If the default rejects overlap because the box does, reporting the box is enough.
        if entries[inner].isBesideBox, around(inner - 1).contains(outer) { continue }
        let isSame = isSame(inner, outer)
        guard !allows(inner, outer, same: isSame), seen.insert([min(inner, outer), max(inner, outer)]).inserted else {
          continue
        }
        found.append(overlap(inner, outer, same: isSame))
      }
    }
    return found
  }

  /// The directories that are this one or contain it.
  private func around(_ index: Int) -> Set<Int> {
    let entry = entries[index]
    var found: Set<Int> = []
    for path in [entry.written, entry.found.real] {
      var parts = path.components
      while true {
        found.formUnion(byPath[parts.reduce("/") { $0.appending($1) }] ?? [])
        guard parts.popLast() != nil else { break }
      }
    }
    for identity in entry.found.ancestors { found.formUnion(byIdentity[identity] ?? []) }
    if let identity = entry.found.identity { found.formUnion(byIdentity[identity] ?? []) }
    return found
  }

  private func isSame(_ a: Int, _ b: Int) -> Bool {
    let (a, b) = (entries[a], entries[b])
    return a.written == b.written || a.found.real == b.found.real
      || (a.found.identity != nil && a.found.identity == b.found.identity)
  }

  private func allows(_ inner: Int, _ outer: Int, same: Bool) -> Bool {
    let (inner, outer) = (entries[inner], entries[outer])
    // A default hold is beside its box or zone, so if it is misplaced, the error is about one of those.
    if inner.isDerived { return !same || inner.place == outer.place }
    switch (inner.place, outer.place) {
    case (.box, .box), (.rejects, .rejects): return true
    case (.hold, .hold): return same
    case (.hold, .zone): return inner.zone == outer.zone && inner.written == outer.written.appending(".dropzone-hold")
    default: return false
    }
  }

  private func overlap(_ inner: Int, _ outer: Int, same: Bool) -> ZoneOverlap {
    // Blame a configured directory before a default one, a later zone before an earlier one, and a later key of one zone.
    let innerIsBlamed =
      entries[inner].isDerived != entries[outer].isDerived ? !entries[inner].isDerived : inner > outer
    let (blamed, other) = innerIsBlamed ? (entries[inner], entries[outer]) : (entries[outer], entries[inner])
    let relation = same ? "is the same directory as" : innerIsBlamed ? "is inside" : "contains"
    return ZoneOverlap(
      zone: blamed.zone, place: blamed.place, message: "\(described(blamed)) \(relation) \(described(other))")
  }

  private func described(_ entry: Entry) -> String {
    let what =
      switch entry.place {
      case .zone: "zone '\(entry.name)'"
      case .box: "the box of zone '\(entry.name)'"
      case .rejects: "the rejects of zone '\(entry.name)'"
      case .hold where entry.isDerived: "the default hold of zone '\(entry.name)'"
      case .hold: "the hold of zone '\(entry.name)'"
      }
    let really = entry.found.real == entry.written ? "" : ", resolved to '\(entry.found.real)'"
    return "\(what) ('\(entry.written)'\(really))"
  }
}
