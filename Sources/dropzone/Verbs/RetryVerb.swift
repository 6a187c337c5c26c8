import DropControl

/// `retry`: ask again about what was refused.
struct RetryVerb: IDVerb {
  static let name = "retry"
  static let summary = "ask again about what was refused"
  static let details = "It goes through its zone once more, under the same id."

  let ids: [String]

  func ask(_ client: ControlClient, _ id: String) throws(ControlClientError) {
    try client.retry([id])
  }
}
