internal import DropEngine

/// Answers one call: with nothing when it asked for nothing, and else in the order of the replies.
struct Replier: Sendable {
  let client: Client
  let isSilent: Bool

  func send(_ parameters: some Encodable, continues: Bool = false) throws(VarlinkError) {
    if isSilent { return }
    do {
      client.send(try VarlinkReply.success(parameters, continues: continues))
    } catch {
      // Every value of the interface can be written; one that could not is as good as not there.
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

  /// Returns what `body` does, or nil as soon as the client is gone: `body` is cancelled then.
  func whileThere<Result: Sendable>(
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
      // Both are cancelled together when the server stops; then the body is what is heard.
      while let next = await group.next() {
        if next != nil || client.isGone { return next }
      }
      return nil
    }
    return try first?.get()
  }
}
