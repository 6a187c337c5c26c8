import Support
import Testing

/// Prevents tests that watch directories from running at the same time, in all suites.
struct WatchingTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The scope of a suite has no test case. It must not take the slot, because its tests would wait for it.
    guard testCase != nil else { return try await function() }
    try await Slots.watching.run { try await function() }
  }
}

extension Trait where Self == WatchingTrait {
  static var watching: Self { Self() }
}
