import DropControl

/// `undo`: put a delivered payload back into its zone.
struct UndoVerb: IDVerb {
  static let name = "undo"
  static let summary = "put a delivered payload back into its zone"
  static let details =
    "It must not have changed in the box. In the zone it stays until it changes, or is released by its id."

  let ids: [String]

  func ask(_ client: ControlClient, _ id: String) throws(ControlClientError) {
    try client.undo([id])
  }
}
