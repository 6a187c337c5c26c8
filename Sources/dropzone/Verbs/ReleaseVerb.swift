import DropControl

/// `release`: take a payload anyway: one that waits, was refused, or was put back.
struct ReleaseVerb: IDVerb {
  static let name = "release"
  static let summary = "take a payload anyway: one that waits, was refused, or was put back"
  static let details = "Neither quiet time nor handler is asked again for it."

  let ids: [String]

  func ask(_ client: ControlClient, _ id: String) throws(ControlClientError) {
    try client.release([id])
  }
}
