/// A destination for payloads: the type that they are read as, and the action that decides.
struct ZoneDestination: Sendable {
  /// The value that a payload was read as.
  typealias Item = any Sendable

  /// An action, by the kind of its answer.
  enum Action: Sendable {
    /// One answer for all payloads that were released together.
    case all(@Sendable ([Item], DropSession) async throws -> Bool)
    /// One answer for each payload.
    case each(@Sendable (Item, DropSession) async throws -> DropVerdict)

    var isForAll: Bool {
      if case .all = self { true } else { false }
    }
  }

  /// The types that it reads.
  let types: [ContentType]
  /// Whether it can read the type of a payload.
  let takes: @Sendable (DroppedFile) -> Bool
  let read: @Sendable (DroppedFile, _ isOriginalFile: Bool) async throws(CancellationError) -> ImportOutcome<Item>
  let action: Action
}

extension ZoneDestination {
  /// Creates a destination that gets all payloads that were released together, as values of a type.
  init<Payload: Transferable>(
    for type: Payload.Type, _ action: @escaping @concurrent @Sendable ([Payload], DropSession) async throws -> Bool
  ) {
    self.init(type, .all { items, session in try await action(items.compactMap { $0 as? Payload }, session) })
  }

  /// Creates a destination that gets payloads one at a time, as values of a type.
  init<Payload: Transferable>(
    forEach type: Payload.Type,
    _ action: @escaping @concurrent @Sendable (Payload, DropSession) async throws -> DropVerdict
  ) {
    self.init(
      type,
      .each { item, session in
        // This cannot fail, because this destination read the item.
        guard let item = item as? Payload else { return .rejected("it is not of type \(Payload.self)") }
        return try await action(item, session)
      })
  }

  /// Creates a destination that gets files of certain types as they are.
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
