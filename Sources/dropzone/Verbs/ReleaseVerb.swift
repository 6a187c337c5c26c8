import DropControl

/// `release`: accepts a payload as it is.
struct ReleaseVerb: IDVerb {
  static let name = "release"
  static let summary = "accept a payload that is waiting, was refused or was put back"
  static let details = "It is accepted without waiting and without asking its handler."

  let ids: [String]

  func perform(on client: ControlClient, _ id: String) throws(ControlClientError) {
    try client.release([id])
  }
}
