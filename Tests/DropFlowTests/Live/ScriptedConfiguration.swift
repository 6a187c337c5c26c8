import DropEngine

@testable import DropFlow

/// A configuration whose answers a test writes.
final class ScriptedConfiguration: LiveConfiguration {
  private let body: @Sendable (RawPath) -> LiveVerdict

  init(_ body: @escaping @Sendable (RawPath) -> LiveVerdict) {
    self.body = body
  }

  func asking(in view: SessionView) -> (_ location: RawPath, _ operations: Set<LiveOperation>) -> LiveVerdict {
    { location, _ in self.body(location) }
  }
}
