extension Duration {
  /// The duration as in zone files: `500ms`, `10s`, `5min`, `2h`.
  package var formatted: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds % 1000 != 0 { return "\(milliseconds)ms" }
    let seconds = milliseconds / 1000
    if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    if seconds > 0, seconds % 60 == 0 { return "\(seconds / 60)min" }
    return "\(seconds)s"
  }
}
