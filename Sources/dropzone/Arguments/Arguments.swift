import DropEngine

/// The words on the command line. Names of files among them are bytes, whatever they spell.
struct Arguments {
  private var words: ArraySlice<RawPath>
  private(set) var isAskedForHelp = false
  private(set) var isAskedForVersion = false

  init(_ words: [RawPath]) {
    self.words = words[...]
  }

  mutating func nextWord() -> RawPath? { words.popFirst() }

  /// Takes the options before the command, and returns the socket if one was named.
  mutating func takeLeading(_ options: [Option]) throws(Failure) -> RawPath? {
    var socket: RawPath?
    while let word = words.first, word.bytes.first == UInt8(ascii: "-"), word != "--" {
      guard let (option, value) = try takeOption(options, of: nil) else { break }
      switch option {
      case Help.help: isAskedForHelp = true
      case Help.version: isAskedForVersion = true
      default: socket = value
      }
    }
    if isAskedForHelp || isAskedForVersion { words = [] }
    return socket
  }

  /// Sorts the rest into options and operands.
  mutating func parse(_ options: [Option], of command: String) throws(Failure) -> Given {
    var given = Given(command: command)
    while let word = words.first {
      if word == "--" {
        given.operands += words.dropFirst()
        break
      }
      if word.bytes.first == UInt8(ascii: "-"), word.bytes.count > 1 {
        guard let (option, value) = try takeOption(options, of: command) else { break }
        given.values[option] = value
      } else {
        given.operands.append(word)
        words = words.dropFirst()
      }
    }
    return given
  }

  /// `--name`, `--name=value` or `--name value`.
  private mutating func takeOption(
    _ options: [Option], of command: String?
  ) throws(Failure) -> (Option, RawPath)? {
    guard let word = words.popFirst() else { return nil }
    let prefix = command.map { "\($0): " } ?? ""
    let parts = word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = RawPath(bytes: Array(parts.first ?? [])).description
    let sought = name == "-h" ? Help.help.name : name
    guard let option = options.first(where: { $0.name == sought }) else {
      let hint = Hint.nearest(to: name, among: options.map(\.name))
      let help = "; " + (["dropzone", command].compactMap { $0 } + ["--help"]).joined(separator: " ") + " lists them"
      throw .usage("\(prefix)no option '\(name)'" + (hint.isEmpty ? help : hint))
    }
    let attached = parts.count > 1 ? RawPath(bytes: Array(parts[1])) : nil
    guard let what = option.value else {
      if attached != nil { throw .usage("\(prefix)'\(name)' takes no value") }
      return (option, "")
    }
    if let attached { return (option, attached) }
    guard let value = words.popFirst() else { throw .usage("\(prefix)'\(name)' wants a value, \(what)") }
    return (option, value)
  }
}

/// What a command was given.
struct Given {
  let command: String
  fileprivate(set) var operands: [RawPath] = []
  fileprivate(set) var values: [Option: RawPath] = [:]

  func has(_ option: Option) -> Bool { values[option] != nil }

  func value(_ option: Option) -> RawPath? { values[option] }

  /// The names of zones; a name that is no text is none of a zone.
  func zones() throws(Failure) -> [String] {
    var names: [String] = []
    for word in operands {
      guard let name = word.string else { throw .usage("\(command): no zone is called '\(word)'") }
      names.append(name)
    }
    return names
  }

  /// The names of zones, one at least.
  func namedZones() throws(Failure) -> [String] {
    let names = try zones()
    if names.isEmpty { throw .usage("\(command): the name of a zone is wanted") }
    return names
  }

  /// The ids of drops, one at least.
  func ids() throws(Failure) -> [String] {
    if operands.isEmpty { throw .usage("\(command): the id of a drop is wanted; history and rejects list them") }
    var ids: [String] = []
    for word in operands {
      guard let id = word.string.flatMap({ DropID($0) }) else {
        throw .usage("\(command): '\(word)' is no id of a drop: those have 26 letters and digits")
      }
      ids.append(id.description)
    }
    return ids
  }

  /// Call when no operand is wanted.
  func noOperands() throws(Failure) {
    if let word = operands.first { throw .usage("\(command): nothing is wanted where '\(word)' stands") }
  }

  func duration(_ option: Option) throws(Failure) -> Duration? {
    guard let text = value(option) else { return nil }
    guard let duration = TimeWords.duration(text.description) else {
      throw .usage("\(command): '\(text)' is no time for \(option.name): write 500ms, 30s, 5min, 2h or 1d")
    }
    return duration
  }
}
