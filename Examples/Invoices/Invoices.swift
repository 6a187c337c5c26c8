// Takes invoices, as JSON or as PDF, and says of each one that it refuses why.
//
//     mkdir -p /tmp/invoices/drop && swift run --package-path Examples Invoices /tmp/invoices
//
// Then drop some, as people and programs do, and see what became of them:
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

  /// The first word is the folder that everything lies in; the other words are those of every daemon.
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

/// What is paid, and which drop it was paid for.
actor Ledger {
  private var paid: [String: DropSession.Item.ID?] = [:]

  /// Whether it is paid now, and was not for another drop: after a failure the same drop is asked about again.
  func pay(_ invoice: Invoice, for drop: DropSession.Item.ID?) -> Bool {
    if let earlier = paid[invoice.number] { return earlier == drop }
    paid[invoice.number] = drop
    return true
  }
}
