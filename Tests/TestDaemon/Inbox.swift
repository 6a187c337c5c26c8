internal import DropZones

/// The example from the README, as part of a daemon.
struct Inbox: Zones {
  let root: String
  let ledger = Ledger()

  var body: some Zones {
    DropZone("invoices", at: root + "/drop", box: root + "/box")
      .dropDestination(forEach: Invoice.self) { invoice, session in
        await ledger.record(invoice) ? .accepted : .rejected("already paid")
      }
      .dropConfiguration { session in
        DropConfiguration(operation: session.suggestedOperations.contains(.move) ? .move : .forbidden)
      }
  }
}

struct Invoice: Codable, Transferable {
  let number: String

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
  }
}

actor Ledger {
  private var paid: Set<String> = []

  /// Records an invoice; returns false if it was already recorded.
  func record(_ invoice: Invoice) -> Bool {
    paid.insert(invoice.number).inserted
  }
}
