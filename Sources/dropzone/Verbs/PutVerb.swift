import DropControl
import DropEngine
import DropSystem

/// `put`: a drop by the book.
struct PutVerb: Verb {
  static let name = "put"
  static let summary = "drop copies of files into a zone, so that nobody sees half of one"
  static let usage = "FILE… ZONE [--wait] [--timeout T]"
  static let options = [Option.wait, Option.timeout]
  static let details = """
    Each is copied under no name or a hidden one, made durable, and only then appears; times and mode are kept, and
    nothing is ever replaced. With --wait the verdict of each is shown.
    """

  let files: [RawPath]
  let zone: String
  let waits: Bool
  let timeout: Duration?

  init(_ given: Given) throws(Failure) {
    guard given.operands.count >= 2, let last = given.operands.last else {
      throw .usage("\(given.command): files and the name of a zone are wanted")
    }
    guard let zone = last.string else { throw .usage("\(given.command): no zone is called '\(last)'") }
    self.zone = zone
    files = given.operands.dropLast()
    timeout = try given.duration(.timeout)
    waits = given.has(.wait)
    if timeout != nil, !waits { throw .usage("\(given.command): --timeout goes with --wait") }
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let report = try daemon.asking(of: [zone]) { () throws(ControlClientError) in try client.list([zone]) }
    guard let found = report.zones.first else { throw .no("no zone is called '\(Escaping.escape(zone))'") }
    // Heard from before the first file is there: no verdict can be missed.
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

  private func drop(_ path: RawPath, into zone: RawPath) throws(Failure) -> Dropped {
    let name = path.lastComponent
    guard !name.isEmpty, name != ".", name != ".." else { throw .no("'\(path)': no file") }
    let source: SourceFile
    do throws(FileError) { source = try SourceFile(path) } catch {
      throw .no("'\(path)': " + (error.errno == .invalid ? "no regular file" : "\(error.errno)"))
    }
    var seen = Moment.now
    // Where nothing could hide it, it is seen from the beginning.
    let signals = try? CaughtSignals([.interrupt, .terminate, .hangUp])
    do throws(FileError) {
      let outgoing = try OutgoingFile(source, to: zone, as: name, id: Self.freshID())
      var bar = ProgressBar(name.description, of: source.size)
      defer { bar.clear() }
      try outgoing.copy { done in
        bar.show(done)
        return signals?.isPending != true
      }
      if outgoing.isUnnamed { seen = .now }
      try outgoing.finish()
    } catch {
      if error.errno == .interrupted, let signal = signals?.next() { CaughtSignals.die(of: signal) }
      let place = zone.appending(name)
      throw .no(error.errno == .exists ? "'\(place)' is there already" : "'\(path)' to '\(place)': \(error.errno)")
    }
    return Dropped(name: name, bytes: source.size, seen: seen)
  }

  private static func freshID() -> DropID {
    DropID(milliseconds: UInt64(max(0, Moment.now.milliseconds)), random: SystemRandomNumberGenerator())
  }
}

/// A file that was put into a zone.
struct Dropped {
  let name: RawPath
  let bytes: Int64
  /// When the daemon may have seen it first.
  let seen: Moment

  /// Whether `receipt` is of this file, and not of another that had its name before: that was seen before.
  func isMeant(by receipt: Receipt) -> Bool {
    guard receipt.locationBytes == VarlinkJSON.base64(name.bytes), let first = Moment(receipt.firstSeen) else {
      return false
    }
    // Its clock and ours are the same; between two looks at it lies little, and another file of the same size hardly.
    let early = seen.milliseconds - first.milliseconds
    return early <= 0 || (early <= 100 && receipt.bytes == bytes)
  }
}
