import DropEngine
package import DropSystem

/// What a daemon's command line says, once the program has taken its own words out.
package struct DaemonArguments: Hashable, Sendable {
  package var state: String
  package var socket: String
  package var action = Action.run
  /// The socket's directory where the session offers none; `PrivateDirectory.prepare(_:)` comes before its use.
  package var privateDirectory: String?

  /// What is to be done; of several that are given, the later here.
  package enum Action: Comparable, Hashable, Sendable { case run, check, version, help }

  /// Reads the words behind the program's name; the options that `help` speaks of are those that may have been meant.
  package init(_ words: [String], help: String, in surroundings: Surroundings) throws(UsageError) {
    var words = words
    let state = try Self.take("--state", from: &words)
    let socket = try Self.take("--socket", from: &words)
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = parts.first ?? word
      if let action = Self.actions[option] {
        guard parts.count == 1 else { throw UsageError("'\(option)' takes no value") }
        self.action = max(self.action, action)
      } else {
        throw Self.unknown(word, option, Self.options(in: help))
      }
    }
    let defaults = DefaultPlaces(for: surroundings)
    self.state = try Self.place(state, defaults?.state, "--state", surroundings, action)
    self.socket = try Self.place(socket, defaults?.socket, "--socket", surroundings, action)
    privateDirectory = socket == nil ? defaults?.privateDirectory : nil
    guard self.socket.utf8.count <= Self.socketLimit else {
      throw UsageError(
        "the socket's path is longer than \(Self.socketLimit) bytes: '\(Escaping.escape(self.socket))'")
    }
  }

  /// Takes an option and its path out of `words`; nil where it is not among them.
  package static func take(_ option: String, from words: inout [String]) throws(UsageError) -> String? {
    var value: String?
    var rest: [String] = []
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      let found: String?
      if word == option {
        found = iterator.next()
        if let found, found.hasPrefix("--") {
          throw UsageError("'\(option)' needs a path behind it, not '\(Escaping.escape(found))'")
        }
      } else if word.hasPrefix(option + "=") {
        found = String(word.dropFirst(option.count + 1))
      } else {
        rest.append(word)
        continue
      }
      guard let found, !found.isEmpty else { throw UsageError("'\(option)' needs a path behind it") }
      guard value == nil else { throw UsageError("'\(option)' is given twice") }
      value = found
    }
    words = rest
    return value
  }

  /// A path that was said, from where the daemon was started, or its usual place.
  package static func place(
    _ said: String?, _ usual: String?, _ option: String, _ surroundings: Surroundings, _ action: Action
  ) throws(UsageError) -> String {
    if let said {
      let directory = surroundings.workingDirectory
      return said.hasPrefix("/") ? said : directory + (directory.hasSuffix("/") ? "" : "/") + said
    }
    if let usual { return usual }
    // Who only asks for the version need not live anywhere.
    if action == .version || action == .help { return "" }
    throw UsageError("there is no home directory; say '\(option)'")
  }

  /// What the words ask for, whatever else is wrong with them.
  package static func action(in words: [String]) -> Action {
    words.compactMap { actions[$0] }.max() ?? .run
  }

  private static let actions: [String: Action] = [
    "--check": .check, "--version": .version, "--help": .help, "-h": .help,
  ]
  /// unix(7): sun_path has 108 bytes, with the zero.
  private static let socketLimit = 107

  private static func unknown(_ word: String, _ option: String, _ known: [String]) -> UsageError {
    if word.hasPrefix("-"), word != "-" {
      return UsageError(
        "there is no option '\(Escaping.escape(option))'", nearest: Spelling.nearest(to: option, among: known))
    }
    return UsageError(
      "'\(Escaping.escape(word))' is not understood: there are options only",
      nearest: Spelling.nearest(to: "--" + word, among: known))
  }

  /// The options that a help text speaks of, in its order.
  private static func options(in help: String) -> [String] {
    var seen: Set<String> = []
    let words = help.split { !($0.isLetter || $0 == "-") }.map(String.init)
    return words.filter { ($0.hasPrefix("--") || $0 == "-h") && $0.count > 1 && seen.insert($0).inserted }
  }
}
