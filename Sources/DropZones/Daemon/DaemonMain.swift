import DropControl
import DropEngine
import DropFlow
package import DropSystem
import Synchronization

/// The main program of a daemon: its command line, its signals and its exit status.
package enum DaemonMain<Daemon: DropZoneDaemon> {
  /// sysexits.h: EX_USAGE, EX_CONFIG.
  private static var usageError: Int32 { 64 }
  private static var configurationError: Int32 { 78 }

  package enum Outcome {
    case exit(Int32)
    case run(Daemon, DaemonArguments)
  }

  /// Prepares the process before any thread starts: blocks the signals in all threads, makes tasks run on our executor,
  /// and limits the number of heaps that the threads use.
  static func prepare() {
    DaemonSignals.block()
    Machine.shareHeaps()
    GlobalExecutor.install()
    Machine.raiseFileLimit()
  }

  static func run() async -> Never {
    let code: Int32 =
      switch await outcome(of: Array(CommandLine.arguments.dropFirst()), in: .current()) {
      case .exit(let code): code
      case .run(let daemon, let arguments): await serve(daemon, arguments)
      }
    Log.shared.flush(within: .seconds(1))
    endProcess(with: code)
  }

  /// Parses the command line and performs everything except serving.
  package static func outcome(of words: [String], in context: ProcessContext) async -> Outcome {
    let daemon: Daemon
    let arguments: DaemonArguments
    do {
      var words = words
      daemon = try Daemon(arguments: &words)
      arguments = try DaemonArguments(words, help: Daemon.help, in: context)
    } catch {
      printError("\(error)")
      return .exit(usageError)
    }
    switch arguments.action {
    case .help: StandardStream.output.write(Daemon.help)
    case .version: StandardStream.output.write("\(name) \(Version.current)")
    case .check: return .exit(await check(daemon))
    case .run: return .run(daemon, arguments)
    }
    return .exit(0)
  }

  private static func check(_ daemon: Daemon) async -> Int32 {
    do {
      let zones = try await declared(by: daemon)
      StandardStream.output.write("\(zones.count) zone\(zones.count == 1 ? "" : "s"): the configuration is valid")
      for line in MachineCheck.lines { StandardStream.output.write(line) }
      for zone in zones {
        for finding in ZoneCheck.findings(of: zone.settings) {
          StandardStream.output.write("\(zone.name): \(finding)")
        }
      }
      return 0
    } catch {
      StandardStream.error.write("\(error)")
      return configurationError
    }
  }

  private static func serve(_ daemon: Daemon, _ arguments: DaemonArguments) async -> Int32 {
    let (requests, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    let first: Mutex<[DropZone]?>
    do {
      // Listen for signals first, because reading the zones may take time.
      try DaemonSignals.listen { signal in
        if signal == .terminate { StopLimit.start() }
        continuation.yield(signal == .hangUp ? .reload(done: nil) : .stop)
      }
    } catch {
      printError("\(error)")
      return 1
    }
    do {
      first = Mutex(try await declared(by: daemon))
    } catch {
      StandardStream.error.write("\(error)")
      return configurationError
    }
    do {
      if let directory = arguments.privateDirectory { try PrivateDirectory.prepare(RawPath(directory)) }
      let server = ZoneServer(state: arguments.state, socket: arguments.socket) {
        if let zones = first.withLock({ $0.take() }) { return zones }
        return try await declared(by: daemon)
      }
      try await server.run(requests)
      return 0
    } catch {
      printError("\(error)")
      return 1
    }
  }

  private static func declared(by daemon: Daemon) async throws -> [DropZone] {
    let zones = ZonesBuilder.buildExpression(try await daemon.zones)
    try DropZone.check(zones)
    return zones
  }

  private static func printError(_ message: String) {
    StandardStream.error.write("\(name): \(message)")
  }

  private static var name: String {
    RawPath(CommandLine.arguments.first ?? "daemon").lastComponent.description
  }

  static var help: String {
    """
    usage: \(name) [--state DIR] [--socket PATH] [--check] [--version] [--help]

      --state DIR    keep the ledger in DIR
      --socket PATH  listen for clients on the Unix socket PATH
      --check        check the zones, report what is wrong with them, and exit
      --version      print the version and exit
      --help         print this help and exit

    The defaults are /var/lib/dropzone and /run/dropzone/control as root or under systemd, and the XDG directories
    as a user. Exits with 64 for a usage error and 78 for a configuration error.
    """
  }
}
