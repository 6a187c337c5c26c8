internal import DropSystem

private let pool = BlockingPool(name: "test", limit: 512)

/// Runs what blocks on a thread of its own, so that the tasks of a server in the same process go on.
package func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await pool.run(body)
}
