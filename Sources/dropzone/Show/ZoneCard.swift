import DropEngine

/// One zone, drawn with the border of a drop target.
///
///     ╭─ ● invoices ──────────────────────── → move ─╮
///     │ Release to add            2 items   4.5 MB    │
///     │ a.pdf           1.2 MB   3.4 MB/s   writer: … │
///     ╰───────────────────────────────────────────────╯
struct ZoneCard {
  let zone: ZoneStatus
  /// Cells a line may take.
  let width: Int
  let style: Style
  /// Bytes a second, by the ids of what is staged.
  var rates: [DropID: Double] = [:]
  /// Staged payloads that are shown at most.
  var limit = Int.max

  static let narrowest = 24

  var lines: [String] {
    let face = ZoneFace(zone)
    let inner = max(width, Self.narrowest) - 4
    let rows = [headline(face, inner)] + (face.mark == .forbidden ? [] : note(inner)) + staged(inner) + last(inner)
    let look = face.inspect(tint: zone.tint)
    let side = style(look, face.isSolid ? "│" : "┆")
    return [top(face, inner)] + rows.map { "\(side) \($0) \(side)" } + [
      style(look, "╰" + String(repeating: face.isSolid ? "─" : "╌", count: inner + 2) + "╯")
    ]
  }

  private func top(_ face: ZoneFace, _ inner: Int) -> String {
    let dash = face.isSolid ? "─" : "╌"
    let badge = Shown.fit(face.badge, 14)
    let name = Shown.fit(Shown.safe(zone.name), max(1, inner - 8 - Shown.width(badge)))
    let used = 8 + Shown.width(name) + Shown.width(badge)
    let look = face.inspect(tint: zone.tint)
    let fill = String(repeating: dash, count: max(0, inner + 2 - used))
    return style(look, "╭\(dash) ") + style(look, face.mark.rawValue) + " " + style(.strong, name)
      + style(look, " \(fill) \(badge) \(dash)╮")
  }

  private func headline(_ face: ZoneFace, _ inner: Int) -> String {
    var counts: [String] = []
    if zone.itemsCount > 0 {
      counts.append(Amounts.count(zone.itemsCount, "item") + ", " + Amounts.bytes(zone.payloadBytes))
    }
    if zone.inHand > 0 { counts.append("\(zone.inHand) in hand") }
    if zone.accepted + zone.rejected > 0 { counts.append("\(zone.accepted) accepted, \(zone.rejected) rejected") }
    let right = counts.joined(separator: " · ")
    let text = Shown.safe(face.text)
    // The words matter more than the counts: those go first where there is no room for both.
    guard Shown.width(text) + 2 + Shown.width(right) <= inner else {
      return style(face.inspect(tint: zone.tint), Shown.pad(text, inner))
    }
    return style(face.inspect(tint: zone.tint), text)
      + Shown.pad("", inner - Shown.width(text) - Shown.width(right)) + style(.faint, right)
  }

  /// The reason of a zone that says one though it works.
  private func note(_ inner: Int) -> [String] {
    guard let reason = zone.reason, zone.state == .idle || zone.state == .targeted else { return [] }
    return [style(.careful, Shown.pad(Shown.safe(reason), inner))]
  }

  private func staged(_ inner: Int) -> [String] {
    let shown = zone.staged.prefix(limit)
    let sizes = shown.map { Amounts.bytes($0.bytes) }
    let speeds = shown.map { payload in rates[payload.id].map { $0 < 1 ? "" : Amounts.rate($0) } ?? "" }
    let sizeWidth = sizes.map { Shown.width($0) }.max() ?? 0
    let speedWidth = speeds.map { Shown.width($0) }.max() ?? 0
    let numbers = sizeWidth + (speedWidth > 0 ? speedWidth + 2 : 0)
    let room = max(8, inner - numbers - 4)
    let longest = shown.map { Shown.width(Shown.safe($0.location)) }.max() ?? 0
    let nameWidth = min(longest, max(room / 2, 4))
    var lines = zip(shown, zip(sizes, speeds)).map { payload, amounts in
      let name = Shown.pad(Shown.safe(payload.location), nameWidth, middle: true)
      let speed = speedWidth > 0 ? "  " + Shown.pad(amounts.1, speedWidth, right: true) : ""
      let amount = Shown.pad(amounts.0, sizeWidth, right: true) + speed
      let line = "\(name)  \(amount)  \(Self.wait(payload))"
      return Shown.pad(line, inner)
    }
    let hidden = max(zone.itemsCount, zone.staged.count) - shown.count
    if hidden > 0 { lines.append(style(.faint, Shown.pad("… and \(hidden) more", inner))) }
    return lines
  }

  /// What a payload waits for: the word alone where nothing more is said, or the same.
  private static func wait(_ payload: StagedStatus) -> String {
    let detail = Shown.safe(payload.detail)
    let word = payload.waiting.rawValue
    return detail.isEmpty || detail == word ? word : "\(word): \(detail)"
  }

  private func last(_ inner: Int) -> [String] {
    guard let receipt = zone.last else { return [] }
    let line = ReceiptLine(receipt)
    return [style(.faint, Shown.pad("last: \(line.mark) \(line.outcome) \(line.whatAndWhere)", inner))]
  }
}
