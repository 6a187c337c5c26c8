import DropControl

/// `undo`: puts delivered payloads back into their zones.
struct UndoVerb: IDVerb {
  static let name = "undo"
  static let summary = "put a delivered payload back into its zone"
  static let details =
    "The payload must not have changed in the box. It then stays in the zone until it changes or is released by its id."

  let ids: [String]

  func perform(on client: ControlClient, _ id: String) throws(ControlClientError) {
    try client.undo([id])
  }
}
