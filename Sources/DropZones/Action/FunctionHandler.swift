import DropEngine
import DropFlow
import DropSystem

/// A handler that reads each payload as a value, and calls the program's functions with these values.
struct FunctionHandler: DropHandler {
  let destinations: [ZoneDestination]
  let declaredTypes: [ContentType]
  let timeout: Duration
  let box: String
  let pool: BlockingPool

  /// An action that answers for all gets the payloads that were released together. Otherwise, each payload has its own call.
  var batchLimit: Int { destinations.contains { $0.action.isForAll } ? 256 : 1 }

  func decide(
    on payloads: [HeldPayload], answer: @escaping @Sendable (DropID, HandlerDecision) async -> Void
  ) async {
    let call = ActionCall(on: payloads.map(\.drop.id), timeout: timeout, pool: pool, answer: answer)
    // This is not a child task, because only the call may cancel it.
    let work = Task { await decide(on: payloads, in: call) }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      call.cancel()
    }
  }

  private func decide(on payloads: [HeldPayload], in call: ActionCall) async {
    let files = payloads.map { file(of: $0) }
    let session = session(of: payloads, files)
    var read: [[(id: DropID, item: ZoneDestination.Item, location: DropPath)]] = destinations.map { _ in [] }
    for (payload, file) in zip(payloads, files) {
      guard let (index, item) = await item(of: payload, file, in: call) else { continue }
      read[index].append((payload.drop.id, item, file.location))
    }
    for (destination, items) in zip(destinations, read) where !items.isEmpty {
      switch destination.action {
      case .all(let action):
        let ids = items.map(\.id)
        let values = items.map(\.item)
        let session = session.at(items.first?.location)
        guard let result = await call.run(about: ids, { try await action(values, session) }) else { return }
        let decision = Self.decision(result.map { $0 ? .accepted : .rejected("the zone's action refused it") })
        for id in ids { await call.settle(id, decision) }
      case .each(let action):
        for (id, item, location) in items {
          let session = session.at(location)
          guard let result = await call.run(about: [id], { try await action(item, session) }) else { return }
          await call.settle(id, Self.decision(result))
        }
      }
    }
  }

  /// Reads a payload with the first destination that can. If none can, or an import throws a verdict, answers for it.
  private func item(
    of payload: HeldPayload, _ file: DroppedFile, in call: ActionCall
  ) async -> (destination: Int, item: ZoneDestination.Item)? {
    let id = payload.drop.id
    let isOriginalFile = payload.drop.operation == .copy
    var failures: [String] = []
    for (index, destination) in destinations.enumerated() where destination.takes(file) {
      let result = await call.run(about: [id]) { try await destination.read(file, isOriginalFile) }
      switch result {
      case nil: return nil
      case .success(.imported(let item)): return (index, item)
      case .success(.failed(let messages)): failures += messages
      case .success(.verdict(let verdict)):
        await call.settle(id, Self.decision(.success(verdict)))
        return nil
      case .success(.unreadable(let error)):
        await call.settle(id, HandlerDecision(.wait("it cannot be read: \(error)")))
        return nil
      case .failure(let error):
        await call.settle(id, Self.decision(.failure(error)))
        return nil
      }
    }
    let reason = failures.isEmpty ? "no destination takes \(file.type)" : failures.joined(separator: "; ")
    await call.settle(id, HandlerDecision(.rejected(reason)))
    return nil
  }

  /// A verdict that is thrown counts as the verdict; any other error is a failed attempt.
  private static func decision(_ result: Result<DropVerdict, any Error>) -> HandlerDecision {
    switch result {
    case .success(let verdict): return HandlerDecision(verdict.outcome, retryAfter: verdict.retryAfter)
    case .failure(let verdict as DropVerdict):
      return HandlerDecision(verdict.outcome, retryAfter: verdict.retryAfter)
    case .failure(let error): return HandlerDecision(.failed("handler failed: \(ErrorText.text(of: error))"))
    }
  }

  private func file(of payload: HeldPayload) -> DroppedFile {
    let drop = payload.drop
    let location = DropPath(drop.location)
    let content = TypedContent(
      type: drop.type ?? .octetStream, claimedType: drop.claimedType, grade: drop.grade ?? .unproved)
    let declaredType = DeclaredType(content, name: location.lastComponent, among: declaredTypes)
    return DroppedFile(
      id: DroppedFile.ID(drop.id.description), location: location, file: payload.path, byteCount: drop.size,
      type: declaredType.type, claimedType: declaredType.claimedType, grade: declaredType.grade, attempt: drop.attempts)
  }

  /// The session that the action sees. Its payloads have all arrived.
  private func session(of payloads: [HeldPayload], _ files: [DroppedFile]) -> DropSession {
    let room = (try? Directory(box))?.freeRoom
    let isCopy = payloads.first?.drop.operation == .copy
    return DropSession(
      id: DropSession.ID((payloads.first?.session ?? newDropID()).description), phase: .exiting,
      location: files.first?.location ?? "",
      items: files.map { file in
        DropSession.Item(
          id: DropSession.Item.ID(file.id.description), location: file.location, byteCount: file.byteCount,
          claimedType: file.claimedType, type: file.type, grade: file.grade, waiting: nil)
      }, itemsCount: files.count, payloadBytes: files.map(\.byteCount).sum,
      size: DropSession.Size(bytes: room?.bytes ?? 0, inodes: room?.inodes ?? 0),
      suggestedOperations: isCopy ? [.copy] : [.move, .copy], localSession: nil)
  }
}

extension DropVerdict {
  fileprivate var retryAfter: Duration? {
    if case .notYet(_, let retryAfter) = decision { retryAfter } else { nil }
  }
}
