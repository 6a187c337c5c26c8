// Takes invoices, as JSON or PDF, and gives a reason for each one that it refuses.
//
//     mkdir -p /tmp/invoices/drop && swift run --package-path Examples Invoices /tmp/invoices
//
// Then drop some invoices, and see what happens to them:
//
//     echo '{"number": "2024-7", "cents": 1900}' > /tmp/invoices/drop/lamps.json
//     cp /tmp/invoices/box/lamps.json /tmp/invoices/drop/again.json
//     cp /bin/true /tmp/invoices/drop/chairs.pdf
//     head /tmp/invoices/box.rejects/*.reason.json

import DropZones

@main struct Invoices: DropZoneDaemon {
  private var folder = "/tmp/invoices"
  private let ledger = Ledger()

  init() {}

  /// The first argument is the folder that contains everything; the other arguments are those of every daemon.
  init(arguments: inout [String]) {
    if let word = arguments.first, word.hasPrefix("/") { folder = arguments.removeFirst() }
    arguments += ["--state", folder + "/state", "--socket", folder + "/socket"]
  }

  var zones: some Zones {
    DropZone("invoices", at: folder + "/drop", box: folder + "/box", hint: "Release to pay", tint: .green)
      .dropDestination(forEach: Invoice.self) { invoice, session in
        if invoice.cents <= 0 { return .rejected("there is nothing to pay") }
        return await ledger.pay(invoice, for: session.item?.id)
          ? .accepted : .rejected("\(invoice.number) is already paid")
      }
      .accept(maxSize: 10_000_000)
  }
}

/// Records which invoices are paid, and for which drop.
actor Ledger {
  private var paid: [String: DropSession.Item.ID?] = [:]

  /// Pays an invoice; false if it is already paid for another drop. After a failure, the same drop may ask again.
  func pay(_ invoice: Invoice, for drop: DropSession.Item.ID?) -> Bool {
    if let earlier = paid[invoice.number] { return earlier == drop }
    paid[invoice.number] = drop
    return true
  }
}
