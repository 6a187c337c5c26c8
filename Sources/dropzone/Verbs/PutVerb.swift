import DropControl
import DropEngine
import DropSystem

/// `put`: drops copies of files safely.
struct PutVerb: Verb {
  static let name = "put"
  static let summary = "drop copies of files into a zone, so that a half-written file is never visible"
  static let usage = "FILE… ZONE [--wait] [--timeout T]"
  static let options = [Option.wait, Option.timeout]
  static let details = """
    Each file is copied without a name or under a hidden one, synced to disk, and only then becomes visible. Times and
    mode are kept. Existing files are never replaced. With --wait, the verdict of each file is shown.
    """

  let files: [RawPath]
  let zone: String
  let waits: Bool
  let timeout: Duration?

  init(_ arguments: ParsedArguments) throws(Failure) {
    guard arguments.operands.count >= 2, let last = arguments.operands.last else {
      throw .usage("\(arguments.command): give at least one file and the name of a zone")
    }
    guard let zone = last.string else { throw .usage("\(arguments.command): there is no zone '\(last)'") }
    self.zone = zone
    files = arguments.operands.dropLast()
    timeout = try arguments.duration(.timeout)
    waits = arguments.has(.wait)
    if timeout != nil, !waits { throw .usage("\(arguments.command): --timeout requires --wait") }
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let report = try daemon.translatingErrors(about: [zone]) { () throws(ControlClientError) in try client.list([zone])
    }
    guard let found = report.zones.first else { throw .no("there is no zone '\(Escaping.escape(zone))'") }
    // Follow the ledger before the first file is there, so that no verdict is missed.
    var verdicts = try waits ? Verdicts(daemon, zone: zone) : nil
    var code = ExitCode.done
    for file in files {
      do throws(Failure) {
        let dropped = try drop(file, into: RawPath(found.path))
        verdicts?.expect(dropped)
      } catch {
        Output.complain(error.message)
        code = .no
      }
    }
    guard let verdicts else { return code }
    return try verdicts.show(timeout: timeout, in: found) ? code : .no
  }

  private func drop(_ path: RawPath, into zone: RawPath) throws(Failure) -> DroppedCopy {
    let name = path.lastComponent
    guard !name.isEmpty, name != ".", name != ".." else { throw .no("'\(path)' is not a file") }
    let source: SourceFile
    do throws(FileError) { source = try SourceFile(path) } catch {
      throw .no(error.errno == .invalid ? "'\(path)' is not a regular file" : "cannot read '\(path)': \(error.errno)")
    }
    // The daemon may see the copy from the beginning, unless it has no name until it is complete.
    var earliestSeen = WallTime.now
    let signals = try? CaughtSignals([.interrupt, .terminate, .hangUp])
    do throws(FileError) {
      let outgoing = try OutgoingFile(source, to: zone, as: name, id: Self.freshID())
      var bar = ProgressBar(name.description, of: source.size)
      defer { bar.clear() }
      try outgoing.copy { done in
        bar.show(done)
        return signals?.isPending != true
      }
      if outgoing.isUnnamed { earliestSeen = .now }
      try outgoing.finish()
    } catch {
      if error.errno == .interrupted, let signal = signals?.next() { CaughtSignals.die(of: signal) }
      let place = zone.appending(name)
      throw .no(
        error.errno == .exists ? "'\(place)' already exists" : "cannot copy '\(path)' to '\(place)': \(error.errno)")
    }
    return DroppedCopy(name: name, bytes: source.size, earliestSeen: earliestSeen)
  }

  private static func freshID() -> DropID {
    DropID(milliseconds: UInt64(max(0, WallTime.now.milliseconds)), random: SystemRandomNumberGenerator())
  }
}

/// A file that was put into a zone.
struct DroppedCopy {
  let name: RawPath
  let bytes: Int64
  /// The earliest time at which the daemon may have seen it.
  let earliestSeen: WallTime

  /// Whether `receipt` is for this file, and not for an earlier one with the same name.
  func matches(_ receipt: Receipt) -> Bool {
    guard receipt.locationBytes == VarlinkJSON.base64(name.bytes), let first = WallTime(receipt.firstSeen) else {
      return false
    }
    // Both times come from the same clock but were read at slightly different moments. Within 100 ms, the size decides.
    let early = earliestSeen.milliseconds - first.milliseconds
    return early <= 0 || (early <= 100 && receipt.bytes == bytes)
  }
}
