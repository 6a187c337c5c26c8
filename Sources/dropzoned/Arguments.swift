internal import DropEngine
internal import DropSystem

/// The command line of the daemon.
struct Arguments: Hashable, Sendable {
  var config: String
  var state: String
  var socket: String
  var action = Action.run
  /// The socket's directory where the session offers none; `PrivateDirectory.prepare(_:)` comes before its use.
  var privateDirectory: String?

  /// What is to be done; of several that are given, the later here.
  enum Action: Comparable, Hashable, Sendable { case run, check, version, help }

  /// Reads the words behind the program's name.
  init(_ words: some Sequence<String>, in surroundings: Surroundings) throws(UsageError) {
    var given: [String: String] = [:]
    var action = Action.run
    var words = words.makeIterator()
    while let word = words.next() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = parts.first ?? word
      if let other = Self.actions[option] {
        guard parts.count == 1 else { throw UsageError("'\(option)' takes no value") }
        action = max(action, other)
      } else if Self.places.contains(option) {
        guard let value = parts.count == 2 ? parts[1] : words.next(), !value.isEmpty else {
          throw UsageError("'\(option)' needs a path behind it")
        }
        guard !value.hasPrefix("--") || parts.count == 2 else {
          throw UsageError("'\(option)' needs a path behind it, not '\(Escaping.escape(value))'")
        }
        guard given.updateValue(value, forKey: option) == nil else { throw UsageError("'\(option)' is given twice") }
      } else if word.hasPrefix("-"), word != "-" {
        throw UsageError(
          "there is no option '\(Escaping.escape(option))'",
          nearest: Spelling.nearest(to: option, among: Self.places + Self.actions.keys.sorted()))
      } else {
        throw UsageError(
          "'\(Escaping.escape(word))' is not understood: there are options only",
          nearest: Spelling.nearest(to: "--" + word, among: Self.places + Self.actions.keys.sorted()))
      }
    }
    self.action = action
    let defaults = DefaultPlaces(for: surroundings)
    func place(_ option: String, _ standard: String?) throws(UsageError) -> String {
      if let value = given[option] { return Self.absolute(value, in: surroundings.workingDirectory) }
      if let standard { return standard }
      // Who only asks for the version need not live anywhere.
      if action == .version || action == .help { return "" }
      throw UsageError("there is no home directory; say '\(option)'")
    }
    config = try place("--config", defaults?.config)
    state = try place("--state", defaults?.state)
    socket = try place("--socket", defaults?.socket)
    privateDirectory = given["--socket"] == nil ? defaults?.privateDirectory : nil
    guard socket.utf8.count <= Self.socketLimit else {
      throw UsageError("the socket's path is longer than \(Self.socketLimit) bytes: '\(Escaping.escape(socket))'")
    }
  }

  static let usage = """
    usage: dropzoned [--config DIR] [--state DIR] [--socket PATH] [--check] [--version] [--help]

      --config DIR   where zones/NAME.zone are read from
      --state DIR    where the ledger is kept
      --socket PATH  where clients connect
      --check        read the configuration, say what is wrong with it, and end
      --version      print the version, and end
      --help         print this, and end

    As root or under systemd the defaults are /etc/dropzone, /var/lib/dropzone and /run/dropzone/control;
    as a user the XDG directories. Ends with 64 for a wrong option and 78 for a wrong configuration.
    """

  private static let places = ["--config", "--state", "--socket"]
  private static let actions: [String: Action] = [
    "--check": .check, "--version": .version, "--help": .help, "-h": .help,
  ]
  /// unix(7): sun_path has 108 bytes, with the zero.
  private static let socketLimit = 107

  private static func absolute(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : directory + (directory.hasSuffix("/") ? "" : "/") + path
  }
}

/// What is wrong with a command line, in one line.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ problem: String, nearest: String? = nil) {
    description = problem + (nearest.map { "; did you mean '\($0)'?" } ?? "; see --help")
  }
}
