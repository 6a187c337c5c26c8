internal import Dispatch

/// Runs what blocks on a thread of its own, so that the tasks of a server in the same process go on.
package func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "test").async { continuation.resume(with: Swift.Result { try body() }) }
  }
}
