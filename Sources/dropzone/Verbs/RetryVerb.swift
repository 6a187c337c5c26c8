import DropControl

/// `retry`: judges refused payloads again.
struct RetryVerb: IDVerb {
  static let name = "retry"
  static let summary = "judge refused payloads again"
  static let details = "They go through their zone once more, under the same ids."

  let ids: [String]

  func perform(on client: ControlClient, _ id: String) throws(ControlClientError) {
    try client.retry([id])
  }
}
