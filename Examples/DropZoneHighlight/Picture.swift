import DropZones

/// The drop target, drawn with characters.
struct Picture {
  let highlight: Highlight
  let hasColor: Bool
  let isMotionReduced: Bool

  var lines: [String] {
    let (title, isTargeted) = (highlight.zone.title, highlight.isTargeted)
    let frame = box(
      around: "\(symbol)  \(isTargeted ? highlight.zone.hint : title)", step: isTargeted && !isMotionReduced)
    return frame + ["", highlight.waiting, highlight.inBox, "", "Press Return to empty the box, Control-C to quit."]
  }

  /// The border, dashed or solid, centred in an area whose size never changes.
  private func box(around text: String, step: Bool) -> [String] {
    let pen = Pen(isSolid: highlight.isTargeted)
    let (width, height) = step ? (36, 5) : (32, 3)
    let left = (width - text.count) / 2
    let blank = String(repeating: " ", count: width)
    let middle = String(repeating: " ", count: left) + text + String(repeating: " ", count: width - left - text.count)
    var rows = Array(repeating: blank, count: height)
    rows[height / 2] = middle
    let edge = String(repeating: pen.edge, count: width)
    let frame =
      [pen.corners[0] + edge + pen.corners[1]] + rows.map { pen.side + $0 + pen.side }
      + [pen.corners[2] + edge + pen.corners[3]]
    let margin = String(repeating: " ", count: step ? 2 : 4)
    let border = step ? [] : [""]
    return border + frame.map { margin + colored($0) } + border
  }

  private struct Pen {
    let edge, side: String
    let corners: [String]

    init(isSolid: Bool) {
      (edge, side) = isSolid ? ("━", "┃") : ("╌", "┆")
      corners = isSolid ? ["┏", "┓", "┗", "┛"] : ["╭", "╮", "╰", "╯"]
    }
  }

  private func colored(_ line: String) -> String {
    let codes: [DropZone.Tint: Int] = [.red: 31, .green: 32, .yellow: 33, .blue: 34, .purple: 35, .teal: 36]
    guard hasColor, highlight.isTargeted, let code = codes[highlight.zone.tint] else { return line }
    return "\u{1B}[\(code)m\(line)\u{1B}[m"
  }

  /// Terminals have no named symbols, so this translates the one that we use.
  private var symbol: String {
    highlight.zone.systemImage == "tray.and.arrow.down" ? "⤓" : "◎"
  }
}
