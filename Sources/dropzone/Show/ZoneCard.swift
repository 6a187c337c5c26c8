import DropEngine

/// One zone, drawn with the border of a drop target.
///
///     ╭─ ● invoices ──────────────────────── → move ─╮
///     │ Release to add            2 items   4.5 MB    │
///     │ a.pdf           1.2 MB   3.4 MB/s   writer: … │
///     ╰───────────────────────────────────────────────╯
struct ZoneCard {
  let zone: ZoneStatus
  /// The width of a line, in cells.
  let width: Int
  let style: Style
  /// Bytes per second of staged payloads, by id.
  var rates: [DropID: Double] = [:]
  /// The largest number of staged payloads to show.
  var limit = Int.max

  static let narrowest = 24

  var lines: [String] {
    let face = ZoneFace(zone)
    let inner = max(width, Self.narrowest) - 4
    let rows = [headline(face, inner)] + (face.mark == .forbidden ? [] : note(inner)) + staged(inner) + last(inner)
    let appearance = face.appearance(tint: zone.tint)
    let side = style(appearance, face.isSolid ? "│" : "┆")
    return [top(face, inner)] + rows.map { "\(side) \($0) \(side)" } + [
      style(appearance, "╰" + String(repeating: face.isSolid ? "─" : "╌", count: inner + 2) + "╯")
    ]
  }

  private func top(_ face: ZoneFace, _ inner: Int) -> String {
    let dash = face.isSolid ? "─" : "╌"
    let badge = TerminalText.fit(face.badge, 14)
    let name = TerminalText.fit(TerminalText.safe(zone.name), max(1, inner - 8 - TerminalText.width(badge)))
    let used = 8 + TerminalText.width(name) + TerminalText.width(badge)
    let appearance = face.appearance(tint: zone.tint)
    let fill = String(repeating: dash, count: max(0, inner + 2 - used))
    return style(appearance, "╭\(dash) ") + style(appearance, face.mark.rawValue) + " " + style(.strong, name)
      + style(appearance, " \(fill) \(badge) \(dash)╮")
  }

  private func headline(_ face: ZoneFace, _ inner: Int) -> String {
    var counts: [String] = []
    if zone.itemsCount > 0 {
      counts.append(Amounts.count(zone.itemsCount, "item") + ", " + Amounts.bytes(zone.payloadBytes))
    }
    if zone.inHand > 0 { counts.append("\(zone.inHand) in hand") }
    if zone.accepted + zone.rejected > 0 { counts.append("\(zone.accepted) accepted, \(zone.rejected) rejected") }
    let right = counts.joined(separator: " · ")
    let text = TerminalText.safe(face.text)
    // The text matters more than the counts, so leave out the counts if there is no room for both.
    guard TerminalText.width(text) + 2 + TerminalText.width(right) <= inner else {
      return style(face.appearance(tint: zone.tint), TerminalText.pad(text, inner))
    }
    return style(face.appearance(tint: zone.tint), text)
      + TerminalText.pad("", inner - TerminalText.width(text) - TerminalText.width(right)) + style(.faint, right)
  }

  /// The reason that a working zone gives, such as little room in the box.
  private func note(_ inner: Int) -> [String] {
    guard let reason = zone.reason, zone.state == .idle || zone.state == .targeted else { return [] }
    return [style(.careful, TerminalText.pad(TerminalText.safe(reason), inner))]
  }

  private func staged(_ inner: Int) -> [String] {
    let shown = zone.staged.prefix(limit)
    let sizes = shown.map { Amounts.bytes($0.bytes) }
    let speeds = shown.map { payload in rates[payload.id].map { $0 < 1 ? "" : Amounts.rate($0) } ?? "" }
    let sizeWidth = sizes.map { TerminalText.width($0) }.max() ?? 0
    let speedWidth = speeds.map { TerminalText.width($0) }.max() ?? 0
    let numbers = sizeWidth + (speedWidth > 0 ? speedWidth + 2 : 0)
    let room = max(8, inner - numbers - 4)
    let longest = shown.map { TerminalText.width(TerminalText.safe($0.location)) }.max() ?? 0
    let nameWidth = min(longest, max(room / 2, 4))
    var lines = zip(shown, zip(sizes, speeds)).map { payload, amounts in
      let name = TerminalText.pad(TerminalText.safe(payload.location), nameWidth, middle: true)
      let speed = speedWidth > 0 ? "  " + TerminalText.pad(amounts.1, speedWidth, right: true) : ""
      let amount = TerminalText.pad(amounts.0, sizeWidth, right: true) + speed
      let line = "\(name)  \(amount)  \(Self.wait(payload))"
      return TerminalText.pad(line, inner)
    }
    let hidden = max(zone.itemsCount, zone.staged.count) - shown.count
    if hidden > 0 { lines.append(style(.faint, TerminalText.pad("… and \(hidden) more", inner))) }
    return lines
  }

  /// What a payload is waiting for; the word alone if there is no further detail.
  private static func wait(_ payload: StagedStatus) -> String {
    let detail = TerminalText.safe(payload.detail)
    let word = payload.waiting.rawValue
    return detail.isEmpty || detail == word ? word : "\(word): \(detail)"
  }

  private func last(_ inner: Int) -> [String] {
    guard let receipt = zone.last else { return [] }
    let line = ReceiptLine(receipt)
    return [style(.faint, TerminalText.pad("last: \(line.mark) \(line.outcome) \(line.whatAndWhere)", inner))]
  }
}
