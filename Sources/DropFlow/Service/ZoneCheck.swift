package import DropEngine
import DropSystem

/// What this machine and this user can do for a zone: found by trying, and nothing is left behind.
package enum ZoneCheck {
  /// One line each; what works first, what it leaves out after «but».
  package static func findings(of settings: ZoneSettings) -> [String] {
    guard let zone = try? Directory(settings.path) else {
      return ["the zone '\(Escaping.escape(settings.path))' is not there: unavailable until it is"]
    }
    var lines = [fileSystem(zone), lease(zone)]
    lines += rights(settings, zone)
    lines.append(hold(settings, zone))
    lines += [place("box", settings.box), place("rejects", settings.rejects)]
    if let command = settings.handler.command?.first {
      lines.append(
        Executables.isExecutable(command)
          ? "OnDrop: '\(Escaping.escape(command))' can be run"
          : "OnDrop: '\(Escaping.escape(command))' cannot be run: the zone will be blocked")
    }
    return lines
  }

  private static func fileSystem(_ zone: Directory) -> String {
    let kind = zone.fileSystemKind
    let evidence =
      switch kind.evidence {
      case .lease: "events tell all and a lease proves that nobody writes"
      case .leaseNoMaps: "what is written behind the mount is not seen: scanned, two equal looks and a lease"
      case .scans, .quietOnly: "writers elsewhere are not seen: scanned, three equal looks 5 s apart"
      }
    return "file system \(kind.name): \(evidence)" + (kind.isVolatile ? "; a power cut takes what lies here" : "")
  }

  /// Takes a lease on an unnamed file: what is refused for our own is refused for everybody's.
  private static func lease(_ zone: Directory) -> String {
    let file: OpenFile
    do throws(FileError) {
      // Open for reading only: a lease is for a file that nobody has open for writing.
      file = try zone.openUnnamed(.readWrite).reopened([.readOnly])
    } catch {
      return error.call == .createUnnamed
        ? "lease: not tried, no file can be made in the zone by this user" : "lease: not tried: \(error)"
    }
    let answer = ReadLease.ask(file.descriptor)
    let others = Capabilities.has(.lease) ? "on everybody's files" : "on this user's own files only (no CAP_LEASE)"
    return answer == .granted
      ? "lease: granted, \(others)" : "lease: refused here, so quiet time is the only evidence"
  }

  private static func rights(_ settings: ZoneSettings, _ zone: Directory) -> [String] {
    guard !Capabilities.has(.dacOverride) else { return [] }
    var lines = [
      "without CAP_DAC_OVERRIDE: other people's 0600 files and directories made with umask 022 stay where they are"
    ]
    if let status = try? zone.status(), status.mode & 0o1000 != 0, status.owner != effectiveUser(),
      !Capabilities.has(.owner)
    {
      lines.append("the zone is sticky and not this user's: other people's files cannot be taken without CAP_FOWNER")
    }
    if !zone.isWritable {
      lines.append("this user may not write to the zone: nothing can be taken from it")
    }
    return lines
  }

  private static func hold(_ settings: ZoneSettings, _ zone: Directory) -> String {
    let keeper = HoldDirectories(settings: settings)
    do throws(HoldError) {
      let hold = try keeper.hold(for: zone, .claims(RawPath(bytes: [])))
      guard let box = try? Directory(settings.box) else { return "hold: '\(Escaping.escape(hold.path))'" }
      let near = keeper.isNear(hold, to: box)
      return "hold: '\(Escaping.escape(hold.path))'; delivery by "
        + (near ? "rename" : "copy: the box is on another file system")
    } catch {
      return "hold: \(error.message)"
    }
  }

  private static func place(_ what: String, _ path: String) -> String {
    let shown = "\(what) '\(Escaping.escape(path))'"
    guard let directory = try? Directory(path) else {
      return "\(shown) is not there; it is made at the start if its parent allows"
    }
    guard directory.isWritable else { return "\(shown): this user may not write there" }
    let room = directory.freeRoom.map { ", \($0.bytes.formattedBytes) free" } ?? ""
    return "\(shown): writable\(room)"
  }
}
