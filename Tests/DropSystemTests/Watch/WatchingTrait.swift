import Support
import Testing

/// Keeps a test from running beside others, in whatever suite, that watch directories.
struct WatchingTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A suite has none, and would wait for itself.
    guard testCase != nil else { return try await function() }
    try await Slots.watching.run { try await function() }
  }
}

extension Trait where Self == WatchingTrait {
  static var watching: Self { Self() }
}
