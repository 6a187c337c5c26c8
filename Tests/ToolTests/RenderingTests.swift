import DropControl
import DropEngine
import Support
import Testing

@testable import dropzone

@Suite struct RenderingTests {
  private func card(_ zone: ZoneStatus, _ width: Int = 60, rates: [DropID: Double] = [:]) -> [String] {
    ZoneCard(zone: zone, width: width, style: .plain, rates: rates).lines
  }

  @Test func `an idle zone has a dashed border and its title`() {
    let lines = card(.sample("invoices"), 40)
    #expect(
      lines == [
        "╭╌ ○ invoices ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ → move ╌╮",
        "┆ Drop here     3 accepted, 1 rejected ┆",
        "╰╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╯",
      ])
  }

  @Test func `a targeted zone has a solid border, its hint, and the arriving files`() {
    let zone = ZoneStatus.sample("invoices").targeted(by: "a.pdf")
    let lines = card(zone, rates: [zone.staged[0].id: 3_400_000])
    #expect(lines[0].hasPrefix("╭─ ● invoices ──"))
    #expect(lines[1].hasPrefix("│ Release to add "))
    #expect(lines[2] == "│ a.pdf  1.2 MB  3.4 MB/s  writer: still being written     │")
    #expect(lines.last?.hasPrefix("╰──") == true)
  }

  @Test(
    arguments: [
      (.paused, "move", "by an operator", "‖", "paused: by an operator"),
      (.blocked, "move", "the box is read-only", "!", "blocked: the box is read-only"),
      (.unavailable, "move", nil, "!", "unavailable"),
      (.idle, "forbidden", "closed at night", "⊘", "closed at night"),
      (.targeted, "forbidden", nil, "⊘", "this zone takes nothing"),
      (.idle, "copy", nil, "○", "Drop here"),
    ] as [(ZoneStatus.State, String, String?, String, String)])
  func `the symbol and the text say why a zone takes nothing`(
    state: ZoneStatus.State, operation: String, reason: String?, mark: String, text: String
  ) {
    var zone = ZoneStatus.sample("z")
    zone.state = state
    zone.operation = operation
    zone.reason = reason
    zone.isTargeted = state == .targeted
    let face = ZoneFace(zone)
    #expect(face.mark.rawValue == mark)
    #expect(face.text == text)
    #expect(face.isSolid == zone.isTargeted)
    #expect(face.badge == ["move": "→ move", "copy": "+ copy", "forbidden": "⊘ forbidden"][operation])
  }

  @Test(arguments: [10, 24, 25, 40, 61, 80, 100, 200])
  func `all lines of a card have the same width, whatever they contain`(width: Int) {
    var zone = ZoneStatus.sample("büro-請求書-with-a-name-that-is-rather-long-for-a-zone")
      .targeted(by: "deep/er/領収書-2026 \\x1B[31m\\u{202E}.pdf", bytes: 123_456_789_012)
      .targeted(by: String(repeating: "long", count: 100) + ".tiff", bytes: 1)
      .targeted(by: "👩‍👩‍👧.jpg", bytes: 999)
      .targeted(by: "evil\u{1B}[2J\u{202E}", bytes: 0)
    zone.title = String(repeating: "Drop ", count: 30)
    zone.inHand = 12_345
    zone.reason = "the box has 12 kB left"
    zone.last = .sample("e\u{301}.pdf")
    let lines = card(zone, width, rates: [zone.staged[0].id: 98_765_432])
    for line in lines {
      #expect(TerminalText.width(line) == max(width, ZoneCard.narrowest), "\(line)")
      #expect(!line.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }
    #expect(lines.count == 3 + 1 + 4 + 1)
  }

  @Test func `payloads for which there is no room are counted`() {
    var zone = ZoneStatus.sample("z")
    for number in 0..<10 { zone = zone.targeted(by: "f\(number)") }
    // The daemon truncates long lists itself, but its count is complete.
    zone.itemsCount = 5_000
    let lines = ZoneCard(zone: zone, width: 60, style: .plain, limit: 3).lines
    #expect(lines.count == 3 + 3 + 1)
    #expect(lines[5].hasPrefix("│ … and 4997 more "))
  }

  @Test func `a picture fits the available rows`() {
    var picture = Picture()
    for name in ["a", "b", "c"] {
      var zone = ZoneStatus.sample(name)
      for number in 0..<50 { zone = zone.targeted(by: "f\(number)") }
      picture.update(with: MonitorReply(n: 1, at: "", zone: zone, overrun: false))
    }
    #expect(picture.lines(columns: 80, rows: 24, style: .plain).count <= 24)
    #expect(picture.lines(columns: 80, rows: 1_000, style: .plain).count == 3 * 53 + 1)
  }

  @Test func `a coloured card has the same text, and every line ends without colour`() {
    let zone = ZoneStatus.sample("z").targeted(by: "a")
    let coloured = ZoneCard(zone: zone, width: 60, style: Style(isColoured: true)).lines
    #expect(coloured[0].hasPrefix("\u{1B}[34m╭─ "))
    #expect(coloured.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
    #expect(coloured.map(stripped) == card(zone))
    #expect(!card(zone).joined().contains("\u{1B}"))
  }

  private func stripped(_ line: String) -> String {
    line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated().map { index, part in
      index == 0 ? String(part) : String(part.drop { $0 != "m" }.dropFirst())
    }.joined()
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_999, "9.9 kB"), (10_000, "10 kB"), (999_999, "999 kB"),
    (1_000_000, "1.0 MB"), (45_600_000_000, "45 GB"), (Int64.max, "9223 PB"), (-5, "0 B"),
  ])
  func `sizes are short`(bytes: Int64, text: String) {
    #expect(Amounts.bytes(bytes) == text)
  }

  @Test func `long text loses its end or its middle`() {
    #expect(TerminalText.fit("abcdef", 6) == "abcdef")
    #expect(TerminalText.fit("abcdefg", 6) == "abcde…")
    #expect(TerminalText.fit("holiday-picture.jpeg", 11, middle: true) == "holid….jpeg")
    #expect(TerminalText.fit("請求書.pdf", 6, middle: true) == "請…df")
    #expect(TerminalText.fit("abc", 1) == "…")
    #expect(TerminalText.fit("abc", 0) == "")
    #expect(TerminalText.width("請e\u{301}👍🏽a") == 6)
    #expect(TerminalText.pad("ab", 4) == "ab  ")
    #expect(TerminalText.pad("ab", 4, right: true) == "  ab")
  }

  @Test func `a receipt is truncated to the width, if there is one`() {
    let line = ReceiptLine(.sample("a-rather-long-name.pdf"))
    let whole = line.line(width: nil, style: .plain)
    #expect(whole.hasSuffix("a-rather-long-name.pdf → /srv/box/invoices/a-rather-long-name.pdf"))
    #expect(TerminalText.width(line.line(width: 80, style: .plain)) == 80)
  }

  @Test func `a rate is growth over time, and falls when nothing arrives`() {
    var meter = RateMeter()
    let start = ContinuousClock.now
    let zone = ZoneStatus.sample("z")
    let id = zone.targeted(by: "a").staged[0].id
    meter.record(zone.targeted(by: "a", bytes: 0), at: start)
    #expect(meter.rates(at: start).isEmpty)
    for second in 1...10 {
      meter.record(zone.targeted(by: "a", bytes: Int64(second) * 1_000), at: start + .seconds(second))
    }
    #expect(meter.rates(at: start + .seconds(10))[id] == 1_000)
    #expect(meter.rates(at: start + .seconds(15)).isEmpty)
    meter.record(zone, at: start + .seconds(15))
    meter.record(zone.targeted(by: "a", bytes: 5_000), at: start + .seconds(16))
    #expect(meter.rates(at: start + .seconds(16)).isEmpty)
  }

  @Test func `progress is a bar, a share and a rate`() {
    let line = ProgressBar.line("scan.pdf", 45_000_000, of: 100_000_000, spent: .seconds(3), columns: 60)
    #expect(line.hasPrefix("scan.pdf  [█████"))
    #expect(line.hasSuffix("   45%    15 MB/s"))
    for columns in [10, 20, 79] {
      #expect(
        TerminalText.width(ProgressBar.line("scan-2026.pdf", 1, of: 0, spent: .zero, columns: columns)) <= columns)
    }
  }
}

@Suite struct TimeArgumentTests {
  @Test(arguments: [
    ("500ms", 500), ("2s", 2_000), ("5min", 300_000), ("2h", 7_200_000), ("1d", 86_400_000), ("1h30min", 5_400_000),
    ("30", 30_000),
  ])
  func `a duration is a number and a unit`(text: String, milliseconds: Int64) {
    #expect(TimeArgument.duration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", "5x", "-5s", "5 s", "1.5h", "99999999999999999999s", "٣s"])
  func `anything else is not a duration`(text: String) {
    #expect(TimeArgument.duration(text) == nil)
  }

  @Test func `a time is a date, a word, an age or RFC 3339`() throws {
    let now = try #require(WallTime("2026-03-01T09:30:00Z"))
    #expect(TimeArgument.wallTime("2026-02-28T00:00:00+01:00", now: now) == WallTime("2026-02-27T23:00:00Z"))
    #expect(TimeArgument.wallTime("10min", now: now) == WallTime("2026-03-01T09:20:00Z"))
    #expect(TimeArgument.wallTime("now", now: now) == now)
    let today = try #require(TimeArgument.wallTime("today", now: now))
    let yesterday = try #require(TimeArgument.wallTime("yesterday", now: now))
    #expect(today <= now)
    #expect(yesterday < today)
    #expect(TimeArgument.wallTime("2026-03-01", now: now) == today)
    #expect(TimeArgument.wallTime("tomorrow", now: now) == nil)
  }
}
