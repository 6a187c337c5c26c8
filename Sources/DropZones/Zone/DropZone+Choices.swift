internal import DropEngine

/// The values of settings that are a choice, as in zone files.
extension DropZone {
  /// What counts as one payload.
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
    /// The directory for accepted payloads.
    case box
    /// The directory for refused payloads.
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
    /// One process for each payload.
    case once
    /// One process that keeps running, and reads and writes one line per payload.
    case stream

    var rule: HandlerRules.Mode {
      switch self {
      case .once: .once
      case .stream: .stream
      }
    }
  }

  /// What to do if the payload's name already exists in the box.
  public enum Collision: String, Sendable {
    /// The payload is renamed to `STEM.1.EXT`, `STEM.2.EXT` and so on.
    case rename
    /// The payload is refused as a duplicate.
    case reject
    /// The existing file is replaced.
    case replace
    /// The existing file is kept if it has the same content; otherwise, the payload is renamed.
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

  /// When to compute the SHA-256 of a payload.
  public enum Digest: String, Sendable {
    /// If the content is read anyway, or is small.
    case automatic = "auto"
    /// For every payload.
    case always = "yes"
    /// For no payload.
    case never = "no"

    var rule: DeliveryRules.DigestRule {
      switch self {
      case .automatic: .auto
      case .always: .yes
      case .never: .no
      }
    }
  }

  /// The owner of a delivered file.
  public enum Owner: Hashable, Sendable {
    /// The sender, if the daemon has the right to keep this.
    case keep
    /// The daemon's user.
    case daemon
    /// A user, by name.
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
    /// The group of the box if that is set-gid, and otherwise the sender's group.
    case inherit
    /// The sender's group.
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
    /// The group permissions of the box if that is set-gid, and otherwise the sender's mode.
    case inherit
    /// The sender's mode.
    case keep
    /// A mode of nine bits.
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
