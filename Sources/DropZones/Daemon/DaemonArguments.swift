import DropEngine
package import DropSystem

/// The options that every daemon has, after the program has taken its own arguments.
package struct DaemonArguments: Hashable, Sendable {
  package var state: String
  package var socket: String
  package var action = Action.run
  /// The directory for the socket if the session has no runtime directory. Call `PrivateDirectory.prepare(_:)` before use.
  package var privateDirectory: String?

  /// What the daemon should do. If several are given, the last one in this list counts.
  package enum Action: Comparable, Hashable, Sendable { case run, check, version, help }

  /// Parses the arguments. For misspelt options, suggests those that occur in `help`.
  package init(_ words: [String], help: String, in context: ProcessContext) throws(UsageError) {
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
    let defaults = DefaultPlaces(for: context)
    self.state = try Self.place(state, defaults?.state, "--state", context, action)
    self.socket = try Self.place(socket, defaults?.socket, "--socket", context, action)
    privateDirectory = socket == nil ? defaults?.privateDirectory : nil
    guard self.socket.utf8.count <= Self.socketLimit else {
      throw UsageError(
        "the socket's path is longer than \(Self.socketLimit) bytes: '\(Escaping.escape(self.socket))'")
    }
  }

  /// Removes an option and its path from `words`, and returns the path; nil if it is not there.
  package static func take(_ option: String, from words: inout [String]) throws(UsageError) -> String? {
    var value: String?
    var rest: [String] = []
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      let found: String?
      if word == option {
        found = iterator.next()
        if let found, found.hasPrefix("--") {
          throw UsageError("'\(option)' needs a path, not '\(Escaping.escape(found))'")
        }
      } else if word.hasPrefix(option + "=") {
        found = String(word.dropFirst(option.count + 1))
      } else {
        rest.append(word)
        continue
      }
      guard let found, !found.isEmpty else { throw UsageError("'\(option)' needs a path") }
      guard value == nil else { throw UsageError("'\(option)' is given twice") }
      value = found
    }
    words = rest
    return value
  }

  /// Returns the absolute path for an option: the given path, relative to the working directory, or the default.
  package static func place(
    _ given: String?, _ usual: String?, _ option: String, _ context: ProcessContext, _ action: Action
  ) throws(UsageError) -> String {
    if let given {
      let directory = context.workingDirectory
      return given.hasPrefix("/") ? given : directory + (directory.hasSuffix("/") ? "" : "/") + given
    }
    if let usual { return usual }
    // The version and the help do not need any path.
    if action == .version || action == .help { return "" }
    throw UsageError("there is no home directory; use '\(option)'")
  }

  /// Returns the requested action, even if there are errors in the arguments.
  package static func action(in words: [String]) -> Action {
    words.compactMap { actions[$0] }.max() ?? .run
  }

  private static let actions: [String: Action] = [
    "--check": .check, "--version": .version, "--help": .help, "-h": .help,
  ]
  /// sun_path has 108 bytes, including the final zero; see unix(7).
  private static let socketLimit = 107

  private static func unknown(_ word: String, _ option: String, _ known: [String]) -> UsageError {
    if word.hasPrefix("-"), word != "-" {
      return UsageError(
        "unknown option '\(Escaping.escape(option))'", nearest: Spelling.nearest(to: option, among: known))
    }
    return UsageError(
      "unexpected argument '\(Escaping.escape(word))'",
      nearest: Spelling.nearest(to: "--" + word, among: known))
  }

  /// The options that occur in a help text, in its order.
  private static func options(in help: String) -> [String] {
    var seen: Set<String> = []
    let words = help.split { !($0.isLetter || $0 == "-") }.map(String.init)
    return words.filter { ($0.hasPrefix("--") || $0 == "-h") && $0.count > 1 && seen.insert($0).inserted }
  }
}
