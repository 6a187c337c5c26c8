internal import DropEngine

/// One modifier a group of a zone file, one parameter a key; nil leaves what stands.
extension DropZone {
  /// What a payload is: `Unit=` and `Recursive=`.
  ///
  /// - Parameters:
  ///   - unit: A file, or a whole directory; a file unless said.
  ///   - recursive: Whether directories below the zone belong to it; they do unless said.
  ///   - prune: Whether directories that became empty are removed; they stay unless said.
  public func unit(_ unit: Unit, recursive: Bool? = nil, prune: Bool? = nil) -> DropZone {
    setting { settings in
      settings.unit = unit.rule
      settings.recursive = recursive ?? settings.recursive
      settings.prune = prune ?? settings.prune
    }
  }

  /// Where the zone's payloads wait for their verdict, and what must be mounted: `Hold=` and `RequireMount=`.
  ///
  /// - Parameters:
  ///   - hold: The directory for what is claimed, absolute; beside the box or the zone unless said.
  ///   - requireMount: The places without which, as mount points, the zone is unavailable.
  public func places(hold: String? = nil, requireMount: Set<Place>? = nil) -> DropZone {
    setting { settings in
      settings.hold = hold ?? settings.hold
      settings.requireMount = requireMount.map { Set($0.map(\.rule)) } ?? settings.requireMount
    }
  }

  /// What the zone takes: `[Accept]`.
  ///
  /// - Parameters:
  ///   - types: A payload's type, or what it conforms to. Unless said, what the zone's destinations read, or all.
  ///   - grades: How well the type must be known, where types are asked for; proved or narrowed unless said.
  ///   - minSize: Bytes; 0 takes empty files too.
  ///   - maxSize: Bytes.
  ///   - maxItems: Payloads of one session.
  ///   - names: Globs; what none of them matches is left alone.
  ///   - excludeNames: Globs of names that are left alone.
  public func accept(
    types: [ContentType]? = nil, grades: Set<ContentType.Grade>? = nil, minSize: Int64? = nil, maxSize: Int64? = nil,
    maxItems: Int? = nil, names: [String]? = nil, excludeNames: [String]? = nil
  ) -> DropZone {
    changing { zone in
      if let types {
        // The types of the program's own stand in no zone file.
        zone.actions.acceptedTypes = types
        zone.settings.accept.types = []
      }
      zone.settings.accept.grades = grades.map { Set($0.map(\.grade)) } ?? zone.settings.accept.grades
      zone.settings.accept.minSize = minSize ?? zone.settings.accept.minSize
      zone.settings.accept.maxSize = maxSize ?? zone.settings.accept.maxSize
      zone.settings.accept.maxItems = maxItems ?? zone.settings.accept.maxItems
      zone.settings.accept.names = names ?? zone.settings.accept.names
      zone.settings.accept.excludeNames = excludeNames ?? zone.settings.accept.excludeNames
    }
  }

  /// When a payload counts as complete: `[Staging]`.
  ///
  /// - Parameters:
  ///   - quiet: How long nothing may have been written; 1 s unless said.
  ///   - emptyGrace: How long an empty file may stay so; 10 s unless said.
  ///   - stalled: Without progress for so long a payload no longer lights the zone; 10 min unless said.
  ///   - rescan: How often everything is looked at although no event asked for it; 5 min unless said.
  ///   - ignore: Globs added to the names that are left alone.
  ///   - temporary: Globs added to the names that are never released.
  ///   - marker: Such as `.done`: a file waits for one of its name with this appended, which goes with it.
  public func staging(
    quiet: Duration? = nil, emptyGrace: Duration? = nil, stalled: Duration? = nil, rescan: Duration? = nil,
    ignore: [String]? = nil, temporary: [String]? = nil, marker: String? = nil
  ) -> DropZone {
    setting { settings in
      settings.staging.quiet = quiet ?? settings.staging.quiet
      settings.staging.emptyGrace = emptyGrace ?? settings.staging.emptyGrace
      settings.staging.stalled = stalled ?? settings.staging.stalled
      settings.staging.rescan = rescan ?? settings.staging.rescan
      settings.staging.ignore = ignore ?? settings.staging.ignore
      settings.staging.temporary = temporary ?? settings.staging.temporary
      settings.staging.marker = marker ?? settings.staging.marker
    }
  }

  /// How the handler is called: `[Handler]`.
  ///
  /// A command is killed when its time is over. A function can only be asked to end, by the cancellation of its task: its
  /// attempt has failed, and its worker is not free before it returns.
  ///
  /// - Parameters:
  ///   - timeout: After it the attempt has failed; 30 s unless said.
  ///   - attempts: Failed attempts after which a payload is set aside; 5 unless said.
  ///   - workers: Calls at the same time; 1 unless said.
  ///   - changes: Whether it may change its payload; it may not unless said.
  public func handler(
    timeout: Duration? = nil, attempts: Int? = nil, workers: Int? = nil, changes: Bool? = nil
  ) -> DropZone {
    setting { settings in
      settings.handler.timeout = timeout ?? settings.handler.timeout
      settings.handler.attempts = attempts ?? settings.handler.attempts
      settings.handler.workers = workers ?? settings.handler.workers
      settings.handler.changes = changes ?? settings.handler.changes
    }
  }

  /// How what was accepted reaches the box: `[Delivery]`.
  ///
  /// - Parameters:
  ///   - operation: Move or copy; moved unless said. A configuration may make a copy of a move, never the other way.
  ///   - collision: What to do when the box has the name; another name unless said.
  ///   - durable: Whether a receipt means that the payload is on the disk; it does unless said.
  ///   - digest: When the SHA-256 is computed.
  ///   - flatten: Whether the zone's directories are left out below the box; they are made there unless said.
  ///   - owner: Whose the delivered file is; its sender's unless said.
  ///   - group: Its group; that of a set-gid box unless said.
  ///   - permissions: Its mode; that of a set-gid box for the group unless said.
  public func delivery(
    operation: DropOperation? = nil, collision: Collision? = nil, durable: Bool? = nil, digest: Digest? = nil,
    flatten: Bool? = nil, owner: Owner? = nil, group: Group? = nil, permissions: Permissions? = nil
  ) -> DropZone {
    setting { settings in
      settings.delivery.operation = operation.map { $0 == .copy ? .copy : .move } ?? settings.delivery.operation
      settings.delivery.collision = collision?.rule ?? settings.delivery.collision
      settings.delivery.durable = durable ?? settings.delivery.durable
      settings.delivery.digest = digest?.rule ?? settings.delivery.digest
      settings.delivery.flatten = flatten ?? settings.delivery.flatten
      settings.delivery.owner = owner?.rule ?? settings.delivery.owner
      settings.delivery.group = group?.rule ?? settings.delivery.group
      settings.delivery.permissions = permissions?.rule ?? settings.delivery.permissions
    }
  }

  private func setting(_ change: (inout ZoneSettings) -> Void) -> DropZone {
    changing { change(&$0.settings) }
  }
}
