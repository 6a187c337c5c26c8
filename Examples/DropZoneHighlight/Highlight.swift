import DropZones

/// How a zone looks, and how it is described to who does not see it.
struct Highlight {
  let zone: DropZone
  var session: DropSession?
  var box: [String]

  private var isTargeted: Bool { session?.isTargeted == true }

  /// One label for all of it.
  var label: String {
    let state = isTargeted ? "\(zone.hint), something arrives" : [zone.title, outcome].compactMap(\.self).joined(separator: ", ")
    return "\(state). Waiting: \(list(waiting)). In the box: \(list(box))."
  }

  /// The lines of the picture; the step in scale is left out where motion is to be reduced.
  func picture(hasColor: Bool, isMotionReduced: Bool) -> [String] {
    let step = isTargeted && !isMotionReduced ? 1 : 0
    let text = "\(symbol)  \(isTargeted ? zone.hint : zone.title)"
    let width = 30 + 4 * step
    let room = width - text.count
    let inside = String(repeating: " ", count: room / 2) + text + String(repeating: " ", count: room - room / 2)
    let blank = String(repeating: " ", count: width)
    let rows = Array(repeating: blank, count: 1 + step) + [inside] + Array(repeating: blank, count: 1 + step)
    let (side, edge) = isTargeted ? ("┃", "━") : ("┆", "╌")
    let corners = isTargeted ? ["┏", "┓", "┗", "┛"] : ["╭", "╮", "╰", "╯"]
    let line = String(repeating: edge, count: width)
    let frame =
      [corners[0] + line + corners[1]] + rows.map { side + $0 + side } + [corners[2] + line + corners[3]]
    let margin = String(repeating: " ", count: 4 - 2 * step)
    let color = hasColor && isTargeted ? color : ""
    return Array(repeating: "", count: 1 - step) + frame.map { margin + color + $0 + (color.isEmpty ? "" : "\u{1B}[m") }
      + Array(repeating: "", count: 1 - step)
      + ["", "Waiting: \(list(waiting))", "In the box: \(list(box))", "", "Return starts over, Control-C ends."]
  }

  /// What is over the zone, and what each waits for.
  private var waiting: [String] {
    (session?.items ?? []).map { item in
      "\(item.location) (\([item.type?.localizedDescription, "\(item.byteCount) bytes", item.waiting?.description].compactMap(\.self).joined(separator: ", ")))"
    }
  }

  /// What became of the last session.
  private var outcome: String? {
    guard case .ended(let operation)? = session?.phase else { return nil }
    return switch operation {
    case .move, .copy: "taken"
    case .forbidden: "refused"
    case .cancel: "withdrawn"
    @unknown default: "over"
    }
  }

  private var symbol: String {
    zone.systemImage == "tray.and.arrow.down" ? "⤓" : "◎"
  }

  private var color: String {
    let codes: [DropZone.Tint: Int] = [.red: 31, .green: 32, .yellow: 33, .orange: 33, .blue: 34, .purple: 35, .teal: 36]
    return "\u{1B}[\(codes[zone.tint] ?? 1)m"
  }

  private func list(_ words: [String]) -> String {
    words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}
