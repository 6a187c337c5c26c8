import DropEngine

/// The words on the command line, as bytes, because file names among them may not be valid text.
struct Arguments {
  private var words: ArraySlice<RawPath>
  private(set) var wantsHelp = false
  private(set) var wantsVersion = false

  init(_ words: [RawPath]) {
    self.words = words[...]
  }

  mutating func nextWord() -> RawPath? { words.popFirst() }

  /// Takes the options before the command, and returns the socket if one was given.
  mutating func takeLeading(_ options: [Option]) throws(Failure) -> RawPath? {
    var socket: RawPath?
    while let word = words.first, word.bytes.first == UInt8(ascii: "-"), word != "--" {
      guard let (option, value) = try takeOption(options, of: nil) else { break }
      switch option {
      case Help.help: wantsHelp = true
      case Help.version: wantsVersion = true
      default: socket = value
      }
    }
    if wantsHelp || wantsVersion { words = [] }
    return socket
  }

  /// Splits the remaining words into options and operands.
  mutating func parse(_ options: [Option], of command: String) throws(Failure) -> ParsedArguments {
    var parsed = ParsedArguments(command: command)
    while let word = words.first {
      if word == "--" {
        parsed.operands += words.dropFirst()
        break
      }
      if word.bytes.first == UInt8(ascii: "-"), word.bytes.count > 1 {
        guard let (option, value) = try takeOption(options, of: command) else { break }
        parsed.values[option] = value
      } else {
        parsed.operands.append(word)
        words = words.dropFirst()
      }
    }
    return parsed
  }

  /// Takes `--name`, `--name=value` or `--name value`.
  private mutating func takeOption(
    _ options: [Option], of command: String?
  ) throws(Failure) -> (Option, RawPath)? {
    guard let word = words.popFirst() else { return nil }
    let prefix = command.map { "\($0): " } ?? ""
    let parts = word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = RawPath(bytes: Array(parts.first ?? [])).description
    let sought = name == "-h" ? Help.help.name : name
    guard let option = options.first(where: { $0.name == sought }) else {
      let hint = Suggestion.nearest(to: name, among: options.map(\.name))
      let help = "; " + (["dropzone", command].compactMap { $0 } + ["--help"]).joined(separator: " ") + " lists them"
      throw .usage("\(prefix)unknown option '\(name)'" + (hint.isEmpty ? help : hint))
    }
    let attached = parts.count > 1 ? RawPath(bytes: Array(parts[1])) : nil
    guard let valueName = option.value else {
      if attached != nil { throw .usage("\(prefix)'\(name)' takes no value") }
      return (option, "")
    }
    if let attached { return (option, attached) }
    guard let value = words.popFirst() else { throw .usage("\(prefix)'\(name)' needs a value, \(valueName)") }
    return (option, value)
  }
}

/// The options and operands of a command.
struct ParsedArguments {
  let command: String
  fileprivate(set) var operands: [RawPath] = []
  fileprivate(set) var values: [Option: RawPath] = [:]

  func has(_ option: Option) -> Bool { values[option] != nil }

  func value(_ option: Option) -> RawPath? { values[option] }

  /// The operands as names of zones. A name that is not valid text cannot be one.
  func zones() throws(Failure) -> [String] {
    var names: [String] = []
    for word in operands {
      guard let name = word.string else { throw .usage("\(command): there is no zone '\(word)'") }
      names.append(name)
    }
    return names
  }

  /// The operands as names of zones, of which there must be at least one.
  func namedZones() throws(Failure) -> [String] {
    let names = try zones()
    if names.isEmpty { throw .usage("\(command): give the name of at least one zone") }
    return names
  }

  /// The operands as ids of drops, of which there must be at least one.
  func ids() throws(Failure) -> [String] {
    if operands.isEmpty {
      throw .usage("\(command): give at least one drop id; 'rejects' and 'history --json' list them")
    }
    var ids: [String] = []
    for word in operands {
      guard let id = word.string.flatMap({ DropID($0) }) else {
        throw .usage("\(command): '\(word)' is not a drop id; a drop id has 26 letters and digits")
      }
      ids.append(id.description)
    }
    return ids
  }

  /// Throws if there are operands.
  func noOperands() throws(Failure) {
    if let word = operands.first { throw .usage("\(command): unexpected argument '\(word)'") }
  }

  func duration(_ option: Option) throws(Failure) -> Duration? {
    guard let text = value(option) else { return nil }
    guard let duration = TimeArgument.duration(text.description) else {
      throw .usage("\(command): '\(text)' is not a time; write \(option.name) like 500ms, 30s, 5min, 2h or 1d")
    }
    return duration
  }
}
