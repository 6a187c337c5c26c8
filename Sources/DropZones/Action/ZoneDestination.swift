/// One way for payloads to be taken: what they are read as, and the action that decides.
struct ZoneDestination: Sendable {
  /// What a payload was read as.
  typealias Item = any Sendable

  /// What an action answers with.
  enum Action: Sendable {
    /// One answer for all that were released together.
    case all(@Sendable ([Item], DropSession) async throws -> Bool)
    /// One answer for each.
    case each(@Sendable (Item, DropSession) async throws -> DropVerdict)

    var isForAll: Bool {
      if case .all = self { true } else { false }
    }
  }

  /// What it reads.
  let types: [ContentType]
  /// Whether it can read what a payload is.
  let takes: @Sendable (DroppedFile) -> Bool
  let read: @Sendable (DroppedFile, _ isOriginalFile: Bool) async throws(CancellationError) -> ImportOutcome<Item>
  let action: Action
}

extension ZoneDestination {
  /// Payloads as values of a type, all that were released together.
  init<Payload: Transferable>(
    for type: Payload.Type, _ action: @escaping @concurrent @Sendable ([Payload], DropSession) async throws -> Bool
  ) {
    self.init(type, .all { items, session in try await action(items.compactMap { $0 as? Payload }, session) })
  }

  /// Payloads as values of a type, one by one.
  init<Payload: Transferable>(
    forEach type: Payload.Type,
    _ action: @escaping @concurrent @Sendable (Payload, DropSession) async throws -> DropVerdict
  ) {
    self.init(
      type,
      .each { item, session in
        // It was read by this destination.
        guard let item = item as? Payload else { return .rejected("it is no \(Payload.self)") }
        return try await action(item, session)
      })
  }

  /// Payloads as they are, of certain types.
  init(
    of types: [ContentType], _ action: @escaping @concurrent @Sendable ([DroppedFile]) async throws -> Bool
  ) {
    self.init(
      types: types,
      takes: { file in
        types.contains { file.type.conforms(to: $0) || $0 == .item }
      },
      read: { file, _ in .imported(file) },
      action: .all { files, _ in try await action(files.compactMap { $0 as? DroppedFile }) })
  }

  private init<Payload: Transferable>(_ type: Payload.Type, _ action: Action) {
    self.init(
      types: Payload.importedContentTypes(), takes: { Payload.takes($0) },
      read: { (file, isOriginalFile) async throws(CancellationError) -> ImportOutcome<Item> in
        switch try await Payload.imported(from: file, isOriginalFile: isOriginalFile) {
        case .imported(let value): .imported(value)
        case .verdict(let verdict): .verdict(verdict)
        case .failed(let failures): .failed(failures.map { "\(Payload.self): \($0)" })
        case .unreadable(let error): .unreadable(error)
        }
      }, action: action)
  }
}
