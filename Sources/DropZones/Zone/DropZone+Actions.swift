internal import DropEngine

/// Who decides, who is asked while something arrives, and who is told.
extension DropZone {
  /// Takes payloads as values of a type, all that were released together; the answer speaks for all of them.
  ///
  ///     .dropDestination(for: Invoice.self) { invoices, session in
  ///       try await ledger.record(invoices, in: session.id)
  ///       return true
  ///     }
  ///
  /// The array is never empty and holds 256 at most. A thrown ``DropVerdict`` is the verdict, with its reason; any other
  /// error is a failed attempt, which is repeated. Of several destinations the first that can read a payload takes it.
  /// The attempt is on the disk before the call, so that a payload over which the process dies runs out of them.
  ///
  /// - Parameters:
  ///   - itemType: What payloads are read as.
  ///   - action: Whether they are taken. It runs on threads of its own, or where its isolation says.
  ///   - isTargeted: Told when something begins to arrive, and when nothing does any more.
  public func dropDestination<Item: Transferable>(
    for itemType: Item.Type,
    action: @escaping @concurrent @Sendable (_ items: [Item], _ session: DropSession) async throws -> Bool,
    isTargeted: @escaping @concurrent @Sendable (Bool) async -> Void = { _ in }
  ) -> DropZone {
    adding(ZoneDestination(for: itemType, action), isTargeted)
  }

  /// Takes payloads as values of a type, one at a time, each with a verdict of its own.
  ///
  ///     .dropDestination(forEach: Photo.self) { photo, session in
  ///       photo.isWhole ? .accepted(in: "photos") : .rejected("the picture is cut off")
  ///     }
  ///
  /// An error is a failed attempt, which is repeated; a thrown ``DropVerdict`` is the verdict.
  ///
  /// - Parameters:
  ///   - itemType: What payloads are read as.
  ///   - action: The verdict. It runs on threads of its own, or where its isolation says.
  ///   - isTargeted: Told when something begins to arrive, and when nothing does any more.
  public func dropDestination<Item: Transferable>(
    forEach itemType: Item.Type,
    action: @escaping @concurrent @Sendable (_ item: Item, _ session: DropSession) async throws -> DropVerdict,
    isTargeted: @escaping @concurrent @Sendable (Bool) async -> Void = { _ in }
  ) -> DropZone {
    adding(ZoneDestination(forEach: itemType, action), isTargeted)
  }

  /// Says how the zone would take a payload, while it arrives and once more at its release.
  ///
  ///     .dropConfiguration { session in
  ///       session.location.parent == "Done" ? .forbidden("the column is locked") : .move
  ///     }
  ///
  /// It is asked at every change of a payload, ten times a second at most, for the payload at `session.location` alone;
  /// what it says is shown at once, `forbidden` with its reason. At the release its answer binds: what it forbids goes to
  /// the rejects, what it copies is copied, and a destination is where below the box the payload goes. It runs on a
  /// thread of the zone's own and must be quick: one that takes more than 50 ms is named in the log, and payloads whose
  /// answer does not come within a second stay in the zone until it does.
  public func dropConfiguration(
    _ configuration: @escaping @Sendable (DropSession) -> DropConfiguration
  ) -> DropZone {
    changing { $0.actions.configuration = configuration }
  }

  /// Tells of each session as it goes from phase to phase, and of changes over the zone ten times a second at most.
  ///
  /// Calls follow one another, in order. Each session ends once; what is in hand when the process ends has no end here.
  public func onDropSessionUpdated(
    _ action: @escaping @concurrent @Sendable (DropSession) async -> Void
  ) -> DropZone {
    changing { $0.actions.sessionUpdated.append(action) }
  }

  /// Takes files of some types as they are, all that were released together; the older form.
  ///
  /// - Parameters:
  ///   - types: What it takes, and what conforms to it.
  ///   - isTargeted: Told when something begins to arrive, and when nothing does any more.
  ///   - action: Whether the files are taken, all of them; throw a ``DropVerdict`` to say why not.
  public func onDrop(
    of types: [ContentType], isTargeted: (@concurrent @Sendable (Bool) async -> Void)? = nil,
    perform action: @escaping @concurrent @Sendable (_ files: [DroppedFile]) async throws -> Bool
  ) -> DropZone {
    adding(ZoneDestination(of: types, action), isTargeted)
  }

  /// Lets a program of any language decide: its exit status is the verdict.
  ///
  /// The payload's path is its last argument; the manual page `dropzone.zone(5)` says what else it is given.
  ///
  /// - Parameters:
  ///   - types: What the zone takes, and what conforms to it.
  ///   - command: The program's absolute path, and its arguments; no shell is involved.
  ///   - mode: Whether it is started for each payload, or kept running.
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
