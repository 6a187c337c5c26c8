internal import DropEngine

/// What the keys of a zone file may be, where they are a choice.
extension DropZone {
  /// What one payload is.
  public enum Unit: String, Sendable {
    /// A file.
    case file
    /// A directory with everything in it.
    case directory

    var rule: ZoneSettings.Unit {
      switch self {
      case .file: .file
      case .directory: .directory
      }
    }
  }

  /// A directory of the zone.
  public enum Place: String, Sendable {
    /// The watched directory.
    case zone
    /// Where accepted payloads end.
    case box
    /// Where refused payloads end.
    case rejects

    var rule: ZoneSettings.Place {
      switch self {
      case .zone: .zone
      case .box: .box
      case .rejects: .rejects
      }
    }
  }

  /// How a command is run.
  public enum CommandMode: String, Sendable {
    /// A process for each payload.
    case once
    /// One process for all, a line in and a line out for each.
    case stream

    var rule: HandlerRules.Mode {
      switch self {
      case .once: .once
      case .stream: .stream
      }
    }
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

    var rule: DeliveryRules.Collision {
      switch self {
      case .rename: .rename
      case .reject: .reject
      case .replace: .replace
      case .keepIdentical: .keepIdentical
      }
    }
  }

  /// When the SHA-256 of a payload is computed.
  public enum Digest: String, Sendable {
    /// Where the bytes pass through anyway, or are few.
    case automatic = "auto"
    /// Of every payload.
    case always = "yes"
    /// Of none.
    case never = "no"

    var rule: DeliveryRules.DigestRule {
      switch self {
      case .automatic: .auto
      case .always: .yes
      case .never: .no
      }
    }
  }

  /// Whose a delivered file is.
  public enum Owner: Hashable, Sendable {
    /// Its sender's, where this daemon may.
    case keep
    /// The daemon's.
    case daemon
    /// A user's, by name.
    case user(String)

    var rule: DeliveryRules.Ownership {
      switch self {
      case .keep: .keep
      case .daemon: .daemon
      case .user(let name): .named(name)
      }
    }
  }

  /// The group of a delivered file.
  public enum Group: Hashable, Sendable {
    /// The group of a set-gid box, elsewhere the sender's.
    case inherit
    /// The sender's.
    case keep
    /// A group, by name.
    case group(String)

    var rule: DeliveryRules.Ownership {
      switch self {
      case .inherit: .inherit
      case .keep: .keep
      case .group(let name): .named(name)
      }
    }
  }

  /// The mode of a delivered file; set-id bits are always cleared.
  public enum Permissions: Hashable, Sendable {
    /// In a set-gid box its group may do what it may with the box, elsewhere the sender's.
    case inherit
    /// The sender's.
    case keep
    /// Nine bits.
    case mode(UInt32)

    var rule: DeliveryRules.Permissions {
      switch self {
      case .inherit: .inherit
      case .keep: .keep
      case .mode(let bits): .fixed(bits & 0o777)
      }
    }
  }
}
