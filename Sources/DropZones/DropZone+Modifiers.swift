internal import DropEngine

/// One modifier a group of a zone file, one parameter a key; nil leaves what stands.
extension DropZone {
  /// What the zone takes: `[Accept]`.
  ///
  /// - Parameters:
  ///   - types: As a zone file spells them: `application/pdf`, `image/*`, `text/plain+`, `public.image`. None: all.
  ///   - minSize: Bytes; 0 takes empty files too.
  ///   - maxSize: Bytes.
  ///   - maxItems: Payloads at a time.
  ///   - names: Globs; what none of them matches is left alone.
  ///   - excludeNames: Globs of names that are left alone.
  public func accept(
    types: [String]? = nil, minSize: Int64? = nil, maxSize: Int64? = nil, maxItems: Int? = nil,
    names: [String]? = nil, excludeNames: [String]? = nil
  ) -> DropZone {
    changing { settings in
      settings.accept.types = types ?? settings.accept.types
      settings.accept.minSize = minSize ?? settings.accept.minSize
      settings.accept.maxSize = maxSize ?? settings.accept.maxSize
      settings.accept.maxItems = maxItems ?? settings.accept.maxItems
      settings.accept.names = names ?? settings.accept.names
      settings.accept.excludeNames = excludeNames ?? settings.accept.excludeNames
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
  public func staging(
    quiet: Duration? = nil, emptyGrace: Duration? = nil, stalled: Duration? = nil, rescan: Duration? = nil,
    ignore: [String]? = nil, temporary: [String]? = nil
  ) -> DropZone {
    changing { settings in
      settings.staging.quiet = quiet ?? settings.staging.quiet
      settings.staging.emptyGrace = emptyGrace ?? settings.staging.emptyGrace
      settings.staging.stalled = stalled ?? settings.staging.stalled
      settings.staging.rescan = rescan ?? settings.staging.rescan
      settings.staging.ignore = ignore ?? settings.staging.ignore
      settings.staging.temporary = temporary ?? settings.staging.temporary
    }
  }

  /// How the handler is called: `[Handler]`.
  ///
  /// - Parameters:
  ///   - timeout: After it the attempt has failed; 30 s unless said.
  ///   - attempts: Failed attempts after which a payload is set aside; 5 unless said.
  ///   - workers: Handlers at the same time; 1 unless said.
  public func handler(timeout: Duration? = nil, attempts: Int? = nil, workers: Int? = nil) -> DropZone {
    changing { settings in
      settings.handler.timeout = timeout ?? settings.handler.timeout
      settings.handler.attempts = attempts ?? settings.handler.attempts
      settings.handler.workers = workers ?? settings.handler.workers
    }
  }

  /// How what was accepted reaches the box: `[Delivery]`.
  ///
  /// - Parameters:
  ///   - collision: What to do when the box has the name; another name unless said.
  ///   - durable: Whether a receipt means that the payload is on the disk; it does unless said.
  ///   - digest: When the SHA-256 is computed.
  public func delivery(collision: Collision? = nil, durable: Bool? = nil, digest: Digest? = nil) -> DropZone {
    changing { settings in
      settings.delivery.collision = collision?.rule ?? settings.delivery.collision
      settings.delivery.durable = durable ?? settings.delivery.durable
      settings.delivery.digest = digest?.rule ?? settings.delivery.digest
    }
  }

  /// A program of any language as the handler: its exit status is the verdict.
  ///
  /// The payload's path is its last argument; the manual page `dropzone.zone(5)` says what else it is given.
  public func onDrop(run command: [String]) -> DropZone {
    changing { $0.handler.command = command }
  }

  /// What becomes of a payload whose name the box has already.
  public enum Collision: String, Sendable {
    /// `STEM.1.EXT`, `STEM.2.EXT`, ….
    case rename
    /// The payload is refused as a duplicate.
    case reject
    /// What was there goes.
    case replace
    /// Equal bytes are kept once; others get another name.
    case keepIdentical = "keep-identical"

    var rule: DeliveryRules.Collision? { DeliveryRules.Collision(rawValue: rawValue) }
  }

  /// When the SHA-256 of a payload is computed.
  public enum Digest: String, Sendable {
    /// Where the bytes pass through anyway, or are few.
    case automatic = "auto"
    /// Of every payload.
    case always = "yes"
    /// Of none.
    case never = "no"

    var rule: DeliveryRules.DigestRule? { DeliveryRules.DigestRule(rawValue: rawValue) }
  }

  private func changing(_ change: (inout ZoneSettings) -> Void) -> DropZone {
    var zone = self
    change(&zone.settings)
    return zone
  }
}
