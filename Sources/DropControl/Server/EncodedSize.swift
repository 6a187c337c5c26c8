internal import DropEngine

// Estimates of the number of bytes that values occupy in a message, which are exact enough to enforce limits.

extension Receipt {
  var encodedSize: Int {
    let texts = [
      name, location, locationBytes, place ?? "", placeBytes ?? "", reason?.message ?? "", handler?.output ?? "",
    ]
    return 700 + (texts + warnings).reduce(0) { $0 + $1.utf8.count }
  }
}

extension StagedStatus {
  /// Assumes that nothing in the name must be escaped, so that no string is built only to be counted.
  var encodedSize: Int { 160 + rawLocation.bytes.count + (rawLocation.bytes.count + 2) / 3 * 4 + detail.utf8.count }
}

extension ZoneStatus {
  var encodedSize: Int { ownEncodedSize + staged.reduce(0) { $0 + $1.encodedSize } }

  private var ownEncodedSize: Int {
    let texts = [name, path, box, rejects, reason ?? "", title, hint, symbol, tint, label]
    return 400 + texts.reduce(0) { $0 + $1.utf8.count } + (last?.encodedSize ?? 0)
  }

  /// Removes staged payloads beyond `limit` bytes. The counts still include them.
  mutating func cut(to limit: Int) {
    var encodedSize = ownEncodedSize
    let fitting = staged.prefix { payload in
      encodedSize += payload.encodedSize
      return encodedSize <= limit
    }
    if fitting.count < staged.count { staged = Array(fitting) }
  }
}

extension StatusReport {
  /// If the report is larger than `limit` bytes, removes the staged payloads that exceed each zone's share.
  mutating func cut(to limit: Int) {
    guard zones.reduce(0, { $0 + $1.encodedSize }) > limit else { return }
    let share = limit / max(1, zones.count)
    for index in zones.indices { zones[index].cut(to: share) }
  }
}
