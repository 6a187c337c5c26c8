internal import DropEngine

/// Sends the replies to one call, in order, or nothing if the call wants no reply.
struct Replier: Sendable {
  let client: Client
  let isSilent: Bool

  func send(_ parameters: some Encodable, continues: Bool = false) throws(VarlinkError) {
    if isSilent { return }
    do {
      client.send(try VarlinkReply.success(parameters, continues: continues))
    } catch {
      // This does not happen, because every value of the interface can be encoded.
      throw VarlinkError(.stopping)
    }
  }

  func send(_ report: LongReport) async throws(VarlinkError) {
    if isSilent { return }
    do { client.send(try await report.message()) } catch { throw VarlinkError(.stopping) }
  }

  func fail(_ error: VarlinkError) {
    if !isSilent { client.send(VarlinkReply.failure(error)) }
  }

  /// Returns the result of `body`. If the client disconnects first, cancels `body` and returns nil.
  func whileConnected<Result: Sendable>(
    _ body: @escaping @Sendable () async throws(VarlinkError) -> Result
  ) async throws(VarlinkError) -> Result? {
    let client = client
    let first = await withTaskGroup(of: Swift.Result<Result, VarlinkError>?.self) { group in
      group.addTask {
        do throws(VarlinkError) { return .success(try await body()) } catch { return .failure(error) }
      }
      group.addTask {
        await client.untilGone()
        return nil
      }
      defer { group.cancelAll() }
      // When the server stops, both tasks are cancelled; then the result of the body counts.
      while let next = await group.next() {
        if next != nil || client.isGone { return next }
      }
      return nil
    }
    return try first?.get()
  }
}
