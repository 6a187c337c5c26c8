/// The reason why zones could not be opened or reloaded.
struct OpeningError: Error, Sendable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
