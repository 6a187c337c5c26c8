import DropEngine

/// One-line summaries of all zones and of the daemon.
enum Summary {
  static func totals(_ zones: [ZoneStatus]) -> String {
    let targeted = zones.count { $0.isTargeted }
    var parts = [Amounts.count(zones.count, "zone") + (targeted > 0 ? ", \(targeted) targeted" : "")]
    let items = zones.reduce(0) { $0 + $1.itemsCount }
    if items > 0 { parts.append("\(items) staged, " + Amounts.bytes(zones.map(\.payloadBytes).sum)) }
    let inHand = zones.reduce(0) { $0 + $1.inHand }
    if inHand > 0 { parts.append("\(inHand) in hand") }
    parts.append("\(zones.reduce(0) { $0 + $1.accepted }) accepted")
    parts.append("\(zones.reduce(0) { $0 + $1.rejected }) rejected")
    return parts.joined(separator: " · ")
  }

  static func daemon(_ daemon: DaemonStatus) -> String {
    var text =
      "dropzoned \(TerminalText.safe(daemon.version)), process \(daemon.pid) · \(daemon.watches) of "
      + "\(daemon.watchLimit) watches"
    if daemon.overflows > 0 { text += " · " + Amounts.count(daemon.overflows, "overflow") }
    return text
  }
}
