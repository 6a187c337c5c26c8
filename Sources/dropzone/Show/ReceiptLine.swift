import DropEngine

/// One receipt for people.
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

  var look: Style.Look {
    switch receipt.outcome {
    case .delivered, .taken: .good
    case .rejected, .failed: .bad
    case .withdrawn, .undone: .careful
    }
  }

  /// Why, where there is a reason: `type: a PDF is wanted`.
  var reason: String? {
    receipt.reason.map { reason in
      reason.message.isEmpty ? reason.code.rawValue : "\(reason.code.rawValue): \(Shown.safe(reason.message))"
    }
  }

  /// The location, and what became of it: the reason of a refusal, or the place.
  var whatAndWhere: String {
    let location = Shown.safe(receipt.location)
    if let reason { return "\(location) (\(reason))" }
    return receipt.place.map { "\(location) → \(Shown.safe($0))" } ?? location
  }

  /// `✓ delivered: a.pdf → /srv/box/a.pdf`
  func verdict(style: Style) -> String { style(look, "\(mark) \(outcome)") + ": \(whatAndWhere)" }

  /// `2026-03-01 09:30:02  ✓ delivered  invoices   1.2 MB  a.pdf → /srv/box/a.pdf`, cut to `width` if there is one.
  func line(width: Int?, style: Style, id: Bool = false) -> String {
    let head = id ? [receipt.id] : [Amounts.local(receipt.finished)]
    let verdict = Shown.pad("\(mark) \(outcome)", 11)
    let zone = Shown.pad(Shown.safe(receipt.zone), 12)
    let size = Shown.pad(Amounts.bytes(receipt.bytes), 7, right: true)
    let fields = head + [verdict, zone, size]
    let used = fields.reduce(0) { $0 + Shown.width($1) + 2 }
    let room = width.map { max(8, $0 - used) }
    let what = room.map { Shown.fit(whatAndWhere, $0) } ?? whatAndWhere
    return (head + [style(look, verdict), zone, size, what]).joined(separator: "  ")
  }
}
