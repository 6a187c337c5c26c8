import DropEngine

/// One receipt, formatted for people.
struct ReceiptLine {
  let receipt: Receipt

  init(_ receipt: Receipt) {
    self.receipt = receipt
  }

  var mark: String {
    switch receipt.outcome {
    case .delivered, .taken: "✓"
    case .rejected, .failed: "✗"
    case .withdrawn, .undone: "↶"
    }
  }

  var outcome: String { receipt.outcome.rawValue }

  var appearance: Style.Appearance {
    switch receipt.outcome {
    case .delivered, .taken: .good
    case .rejected, .failed: .bad
    case .withdrawn, .undone: .careful
    }
  }

  /// The reason, if there is one, such as `type: the zone takes only PDF`.
  var reason: String? {
    receipt.reason.map { reason in
      reason.message.isEmpty ? reason.code.rawValue : "\(reason.code.rawValue): \(TerminalText.safe(reason.message))"
    }
  }

  /// The location, followed by the reason if there is one, or else by the place.
  var whatAndWhere: String {
    let location = TerminalText.safe(receipt.location)
    if let reason { return "\(location) (\(reason))" }
    return receipt.place.map { "\(location) → \(TerminalText.safe($0))" } ?? location
  }

  /// `✓ delivered: a.pdf → /srv/box/a.pdf`
  func verdict(style: Style) -> String { style(appearance, "\(mark) \(outcome)") + ": \(whatAndWhere)" }

  /// `2026-03-01 09:30:02  ✓ delivered  invoices   1.2 MB  a.pdf → /srv/box/a.pdf`, truncated to `width` if there is one.
  func line(width: Int?, style: Style, id: Bool = false) -> String {
    let head = id ? [receipt.id] : [Amounts.local(receipt.finished)]
    let verdict = TerminalText.pad("\(mark) \(outcome)", 11)
    let zone = TerminalText.pad(TerminalText.safe(receipt.zone), 12)
    let size = TerminalText.pad(Amounts.bytes(receipt.bytes), 7, right: true)
    let fields = head + [verdict, zone, size]
    let used = fields.reduce(0) { $0 + TerminalText.width($1) + 2 }
    let room = width.map { max(8, $0 - used) }
    let what = room.map { TerminalText.fit(whatAndWhere, $0) } ?? whatAndWhere
    return (head + [style(appearance, verdict), zone, size, what]).joined(separator: "  ")
  }
}
