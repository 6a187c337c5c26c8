internal import DropEngine

/// Modifiers for the functions that decide on payloads, configure drops, and receive updates.
extension DropZone {
  /// Takes all payloads that were released together as values of a type, with one answer for all of them.
  ///
  ///     .dropDestination(for: Invoice.self) { invoices, session in
  ///       try await ledger.record(invoices, in: session.id)
  ///       return true
  ///     }
  ///
  /// The array has between 1 and 256 items. If the action throws a ``DropVerdict``, that is the verdict. If it throws any
  /// other error, the attempt has failed and is repeated. If a zone has several destinations, the first one that can read
  /// a payload takes it. The attempt is recorded on disk before the call, so a payload that crashes the process runs out
  /// of attempts.
  ///
  /// - Parameters:
  ///   - itemType: The type that payloads are read as.
  ///   - action: Returns whether the items are accepted. It runs on separate threads, or on the actor it is isolated to.
  ///   - isTargeted: Called with true when something begins to arrive, and with false when nothing arrives any longer.
  public func dropDestination<Item: Transferable>(
    for itemType: Item.Type,
    action: @escaping @concurrent @Sendable (_ items: [Item], _ session: DropSession) async throws -> Bool,
    isTargeted: @escaping @concurrent @Sendable (Bool) async -> Void = { _ in }
  ) -> DropZone {
    adding(ZoneDestination(for: itemType, action), isTargeted)
  }

  /// Takes payloads as values of a type, one at a time, each with its own verdict.
  ///
  ///     .dropDestination(forEach: Photo.self) { photo, session in
  ///       photo.isWhole ? .accepted(in: "photos") : .rejected("the picture is cut off")
  ///     }
  ///
  /// If the action throws a ``DropVerdict``, that is the verdict. If it throws any other error, the attempt has failed and
  /// is repeated.
  ///
  /// - Parameters:
  ///   - itemType: The type that payloads are read as.
  ///   - action: Returns the verdict. It runs on separate threads, or on the actor it is isolated to.
  ///   - isTargeted: Called with true when something begins to arrive, and with false when nothing arrives any longer.
  public func dropDestination<Item: Transferable>(
    forEach itemType: Item.Type,
    action: @escaping @concurrent @Sendable (_ item: Item, _ session: DropSession) async throws -> DropVerdict,
    isTargeted: @escaping @concurrent @Sendable (Bool) async -> Void = { _ in }
  ) -> DropZone {
    adding(ZoneDestination(forEach: itemType, action), isTargeted)
  }

  /// Decides how the zone would take a payload, while it arrives and again when it is released.
  ///
  ///     .dropConfiguration { session in
  ///       session.location.parent == "Done" ? .forbidden("the column is locked") : .move
  ///     }
  ///
  /// The closure is called at every change of a payload, at most ten times per second, for the payload at
  /// `session.location` alone. The result is shown at once, including the reason if it is `forbidden`. At the release, the
  /// result is binding: a forbidden payload goes to the rejects, a copy is copied, and a destination determines where below
  /// the box the payload goes. The closure runs on the zone's own thread and must be fast. If it takes more than 50 ms, the
  /// log says so. Payloads for which it does not return within a second stay in the zone until it does.
  public func dropConfiguration(
    _ configuration: @escaping @Sendable (DropSession) -> DropConfiguration
  ) -> DropZone {
    changing { $0.actions.configuration = configuration }
  }

  /// Reports each phase of each session, and changes within a phase at most ten times per second.
  ///
  /// Calls are made one at a time, in order. The end of each session is reported once, except for sessions that are not
  /// finished when the process exits.
  public func onDropSessionUpdated(
    _ action: @escaping @concurrent @Sendable (DropSession) async -> Void
  ) -> DropZone {
    changing { $0.actions.sessionUpdated.append(action) }
  }

  /// Takes all files of certain types that were released together, without reading them. This is the older form.
  ///
  /// - Parameters:
  ///   - types: The types that it takes, including the types that conform to these.
  ///   - isTargeted: Called with true when something begins to arrive, and with false when nothing arrives any longer.
  ///   - action: Returns whether all the files are accepted; throw a ``DropVerdict`` to give a reason.
  public func onDrop(
    of types: [ContentType], isTargeted: (@concurrent @Sendable (Bool) async -> Void)? = nil,
    perform action: @escaping @concurrent @Sendable (_ files: [DroppedFile]) async throws -> Bool
  ) -> DropZone {
    adding(ZoneDestination(of: types, action), isTargeted)
  }

  /// Lets a program decide, in any language: its exit status is the verdict.
  ///
  /// The payload's path is the last argument of the program. The manual page `dropzone.zone(5)` describes its other input.
  ///
  /// - Parameters:
  ///   - types: The types that the zone takes, including the types that conform to these.
  ///   - command: The absolute path of the program, and its arguments. No shell is involved.
  ///   - mode: Whether the program is started for each payload, or keeps running.
  public func onDrop(
    of types: [ContentType] = [.item], run command: [String], mode: CommandMode = .once
  ) -> DropZone {
    changing { zone in
      if types != [.item] { zone = zone.accept(types: types) }
      zone.settings.handler.command = command
      zone.settings.handler.mode = mode.rule
    }
  }

  private func adding(
    _ destination: ZoneDestination, _ isTargeted: (@concurrent @Sendable (Bool) async -> Void)?
  ) -> DropZone {
    changing { zone in
      zone.actions.destinations.append(destination)
      if let isTargeted { zone.actions.targeted.append(isTargeted) }
    }
  }
}
