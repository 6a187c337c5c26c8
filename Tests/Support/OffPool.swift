internal import DropSystem

private let pool = BlockingPool(name: "test", limit: 512)

/// Runs blocking code on a separate thread, so that the tasks of a server in the same process can continue.
package func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await pool.run(body)
}
