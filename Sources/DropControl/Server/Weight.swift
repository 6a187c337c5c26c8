internal import DropEngine

// How many bytes things take in a message, more or less: enough to keep within limits.

extension Receipt {
  var weight: Int {
    let texts = [
      name, location, locationBytes, place ?? "", placeBytes ?? "", reason?.message ?? "", handler?.output ?? "",
    ]
    return 700 + (texts + warnings).reduce(0) { $0 + $1.utf8.count }
  }
}

extension StagedStatus {
  /// As if nothing in its name had to be escaped: no text is made only to be counted.
  var weight: Int { 160 + rawLocation.bytes.count + (rawLocation.bytes.count + 2) / 3 * 4 + detail.utf8.count }
}

extension ZoneStatus {
  var weight: Int { ownWeight + staged.reduce(0) { $0 + $1.weight } }

  private var ownWeight: Int {
    let texts = [name, path, box, rejects, reason ?? "", title, hint, symbol, tint, label]
    return 400 + texts.reduce(0) { $0 + $1.utf8.count } + (last?.weight ?? 0)
  }

  /// Leaves out what is staged beyond `limit` bytes; the counts still say how much it is.
  mutating func cut(to limit: Int) {
    var weight = ownWeight
    let fitting = staged.prefix { payload in
      weight += payload.weight
      return weight <= limit
    }
    if fitting.count < staged.count { staged = Array(fitting) }
  }
}

extension StatusReport {
  /// Leaves out staged payloads where all together are more than `limit` bytes: of each zone what exceeds its share.
  mutating func cut(to limit: Int) {
    guard zones.reduce(0, { $0 + $1.weight }) > limit else { return }
    let share = limit / max(1, zones.count)
    for index in zones.indices { zones[index].cut(to: share) }
  }
}
