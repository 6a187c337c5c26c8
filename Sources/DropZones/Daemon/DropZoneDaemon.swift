/// A program that opens its zones and serves them until it is told to stop.
///
///     @main struct Inbox: DropZoneDaemon {
///       var zones: some Zones {
///         DropZone("inbox", at: "/srv/drop/inbox", box: "/srv/box/inbox") { files in
///           files.allSatisfy { $0.byteCount < 1_000_000 }
///         }
///       }
///     }
///
/// It runs in the foreground, as services do: SIGHUP asks for the zones again, SIGTERM and SIGINT end it, with everything
/// that is in hand parked, within ten seconds. Systemd is told when it is ready. The command line tool `dropzone` shows
/// its zones.
public protocol DropZoneDaemon: Sendable {
  /// What its zones are declared with.
  associatedtype Content: Zones

  /// The daemon, where nothing on the command line is its own.
  init()

  /// Takes its own words out of the command line; what is left must be the words that every daemon knows.
  ///
  /// - Throws: What is wrong with them, in one line; the program ends with 64.
  init(arguments: inout [String]) throws

  /// The zones; asked at the start and at every reload. An error at the start ends the program with 78; at a reload it
  /// leaves the old zones in force.
  @ZonesBuilder var zones: Content { get async throws }

  /// What `--help` prints.
  static var help: String { get }
}

extension DropZoneDaemon {
  /// Takes nothing.
  public init(arguments: inout [String]) throws {
    self.init()
  }

  /// The options that every daemon has.
  public static var help: String { DaemonMain<Self>.help }

  /// Runs the program: reads the command line, opens the zones and serves them, and ends the process.
  ///
  /// `--state DIR` and `--socket PATH` say where the ledger is and where `dropzone` connects; `--check` tells what is
  /// wrong with the zones; `--version` and `--help` are there too. The process ends with 0, 64 for a wrong option, 78 for
  /// wrong zones, and 1 when it cannot serve.
  @MainActor public static func main() async {
    // On the main thread still, while there is no other.
    DaemonMain<Self>.prepare()
    await DaemonMain<Self>.run()
  }
}
