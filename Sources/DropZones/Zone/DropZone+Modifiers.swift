internal import DropEngine

/// A modifier for each group of a zone file, with a parameter for each key. Nil leaves a setting unchanged.
extension DropZone {
  /// Sets what counts as a payload: `Unit=`, `Recursive=` and `Prune=`.
  ///
  /// - Parameters:
  ///   - unit: A file, which is the default, or a whole directory.
  ///   - recursive: Whether directories below the zone belong to it. The default is true.
  ///   - prune: Whether directories that have become empty are removed. The default is false.
  public func unit(_ unit: Unit, recursive: Bool? = nil, prune: Bool? = nil) -> DropZone {
    setting { settings in
      settings.unit = unit.rule
      settings.recursive = recursive ?? settings.recursive
      settings.prune = prune ?? settings.prune
    }
  }

  /// Sets where claimed payloads wait for their verdict, and what must be mounted: `Hold=` and `RequireMount=`.
  ///
  /// - Parameters:
  ///   - hold: The absolute path of the directory for claimed payloads. By default, it is beside the box or the zone.
  ///   - requireMount: The directories that must be mount points; while one is not, the zone is unavailable.
  public func places(hold: String? = nil, requireMount: Set<Place>? = nil) -> DropZone {
    setting { settings in
      settings.hold = hold ?? settings.hold
      settings.requireMount = requireMount.map { Set($0.map(\.rule)) } ?? settings.requireMount
    }
  }

  /// Sets which payloads the zone accepts: `[Accept]`.
  ///
  /// - Parameters:
  ///   - types: The accepted types, including the types that conform to these. The default is the types that the zone's
  ///     destinations read, or all types.
  ///   - grades: How certain the type must be, if types are given. The default is proved or narrowed.
  ///   - minSize: The minimum size in bytes; with 0, empty files are accepted too.
  ///   - maxSize: The maximum size in bytes.
  ///   - maxItems: The maximum number of payloads in one session.
  ///   - names: Globs; files that match none of these are left alone.
  ///   - excludeNames: Globs; files that match one of these are left alone.
  public func accept(
    types: [ContentType]? = nil, grades: Set<ContentType.Grade>? = nil, minSize: Int64? = nil, maxSize: Int64? = nil,
    maxItems: Int? = nil, names: [String]? = nil, excludeNames: [String]? = nil
  ) -> DropZone {
    changing { zone in
      if let types {
        // Types that the program declares cannot be in the settings, which contain only names.
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

  /// Sets when a payload counts as complete: `[Staging]`.
  ///
  /// - Parameters:
  ///   - quiet: How long a payload must remain unchanged. The default is 1 s.
  ///   - emptyGrace: How long to wait for the content of an empty file. The default is 10 s.
  ///   - stalled: After this long without progress, a payload no longer lights the zone. The default is 10 min.
  ///   - rescan: How often to scan the zone, regardless of events. The default is 5 min.
  ///   - ignore: Additional globs for names that are left alone.
  ///   - temporary: Additional globs for names that are never released.
  ///   - marker: A suffix such as `.done`: a file waits until there is a file with this suffix added to its name, and the
  ///     marker goes with it.
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

  /// Sets how the handler is called: `[Handler]`.
  ///
  /// At the timeout, a command is killed. A function cannot be stopped; its task is cancelled, the attempt has failed, and
  /// its worker stays busy until the function returns.
  ///
  /// - Parameters:
  ///   - timeout: The time after which an attempt has failed. The default is 30 s.
  ///   - attempts: The number of failed attempts after which a payload goes to the rejects. The default is 5.
  ///   - workers: The number of calls at the same time. The default is 1.
  ///   - changes: Whether the handler may change its payload. The default is false.
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

  /// Sets how accepted payloads get into the box: `[Delivery]`.
  ///
  /// - Parameters:
  ///   - operation: Move, which is the default, or copy. A configuration can turn a move into a copy, but not a copy into a
  ///     move.
  ///   - collision: What to do if the name already exists in the box. The default is to rename the payload.
  ///   - durable: Whether a receipt means that the payload is on disk. The default is true.
  ///   - digest: When to compute the SHA-256.
  ///   - flatten: Whether the zone's subdirectories are left out below the box. The default is false.
  ///   - owner: The owner of the delivered file. The default is its sender.
  ///   - group: The group of the delivered file. The default is the group of a set-gid box.
  ///   - permissions: The mode of the delivered file. The default is the group permissions of a set-gid box.
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
