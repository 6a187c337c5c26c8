/// A program that opens its zones and serves them until it is asked to stop.
///
///     @main struct Inbox: DropZoneDaemon {
///       var zones: some Zones {
///         DropZone("inbox", at: "/srv/drop/inbox", box: "/srv/box/inbox") { files in
///           files.allSatisfy { $0.byteCount < 1_000_000 }
///         }
///       }
///     }
///
/// The program runs in the foreground, as services do. SIGHUP makes it read its zones again. SIGTERM and SIGINT stop it
/// within ten seconds, with all work in progress parked. It notifies systemd when it is ready. The command-line tool
/// `dropzone` shows its zones.
public protocol DropZoneDaemon: Sendable {
  /// The type of `zones`.
  associatedtype Content: Zones

  /// Creates a daemon that has no command-line options of its own.
  init()

  /// Creates a daemon from its own command-line arguments, and removes these from `arguments`. The remaining arguments
  /// must be options that every daemon has.
  ///
  /// - Throws: An error whose description says in one line what is wrong. The program then exits with 64.
  init(arguments: inout [String]) throws

  /// The zones, which are read at the start and at every reload. If reading them throws an error at the start, the program
  /// exits with 78; at a reload, the old zones stay in force.
  @ZonesBuilder var zones: Content { get async throws }

  /// The text that `--help` prints.
  static var help: String { get }
}

extension DropZoneDaemon {
  /// Creates a daemon without looking at the arguments.
  public init(arguments: inout [String]) throws {
    self.init()
  }

  /// The help for the options that every daemon has.
  public static var help: String { DaemonMain<Self>.help }

  /// Runs the program: parses the command line, opens and serves the zones, and exits.
  ///
  /// `--state DIR` sets the directory for the ledger, and `--socket PATH` the socket to which `dropzone` connects.
  /// `--check` reports what is wrong with the zones. There are also `--version` and `--help`. The exit status is 0, 64 for
  /// a usage error, 78 for a configuration error, or 1 if the zones cannot be served.
  @MainActor public static func main() async {
    // This still runs on the main thread, before any other thread exists.
    DaemonMain<Self>.prepare()
    await DaemonMain<Self>.run()
  }
}
