import DropEngine

/// One thing that happens to the machine.
package enum Action: Hashable, Sendable {
  case put(String, UInt32)
  case create(String, UInt32)
  case append(String, UInt32)
  case close(String)
  case replace(String, UInt32)
  case rename(String, String)
  case delete(String)
  case link(String, String)
  case openLate(String)
  /// Those who opened a file while it was claimed write to it, or close it.
  case writeLate, closeLate
  /// A process that has a payload open writes to it between its verdict and its name.
  case writeHeld
  /// A file of somebody else appears in the box; a twin has the bytes of the payload that was put last.
  case foreign(String)
  case twin(String)
  case take
  case readerTakesAll
  case answer(HandlerBehaviour)
  case retry, release, undo
  case pause, resume
  case fault(StepKind, CallError, Int?)
  case heal
  case away(Place)
  case hang(Place)
  /// The next step of the payload with this number among those that can go on.
  case step(Int)
  /// The clock goes to the next deadline.
  case advance
  /// Every step that can be performed without waiting.
  case run
  /// Everything, with all waits.
  case settle
  case stop
  case kill
  case cut([UInt8])
}

/// A configuration, and what happens with it.
package struct Script: Hashable, Sendable {
  package var setup: Setup
  package var actions: [Action]

  package init(_ setup: Setup, _ actions: [Action]) {
    self.setup = setup
    self.actions = actions
  }
}

extension Script: CustomStringConvertible {
  package var description: String {
    ([setup.description] + actions.map(\.description)).joined(separator: "; ")
  }

  /// Parses what `description` prints; nil if a part of it is unknown.
  package init?(_ text: String) {
    let parts = text.split(separator: ";").map { $0.drop { $0 == " " } }
    guard let first = parts.first, let setup = Setup(String(first)) else { return nil }
    var actions: [Action] = []
    for part in parts.dropFirst() {
      guard let action = Action(String(part)) else { return nil }
      actions.append(action)
    }
    self.init(setup, actions)
  }
}

extension Action: CustomStringConvertible {
  package var description: String {
    switch self {
    case .put(let name, let length): "put \(name) \(length)"
    case .create(let name, let length): "create \(name) \(length)"
    case .append(let name, let length): "append \(name) \(length)"
    case .close(let name): "close \(name)"
    case .replace(let name, let length): "replace \(name) \(length)"
    case .rename(let name, let newName): "rename \(name) \(newName)"
    case .delete(let name): "delete \(name)"
    case .link(let name, let newName): "link \(name) \(newName)"
    case .openLate(let name): "openLate \(name)"
    case .foreign(let name): "foreign \(name)"
    case .twin(let name): "twin \(name)"
    case .answer(let behaviour): "answer \(behaviour.rawValue)"
    case .fault(let step, let error, let count): "fault \(step.rawValue) \(error.name) \(count ?? 0)"
    case .away(let place): "away \(place.path)"
    case .hang(let place): "hang \(place.path)"
    case .step(let index): "step \(index)"
    case .cut(let answers): "cut " + answers.map(String.init).joined(separator: ",")
    default: "\(self.word)"
    }
  }

  private static let words: [String: Action] = [
    "take": .take, "readerTakesAll": .readerTakesAll, "retry": .retry, "release": .release, "undo": .undo,
    "pause": .pause, "resume": .resume, "heal": .heal, "advance": .advance, "run": .run, "settle": .settle,
    "writeLate": .writeLate, "closeLate": .closeLate, "writeHeld": .writeHeld, "stop": .stop, "kill": .kill,
    "cut": .cut([]),
  ]

  private var word: String { Self.words.first { $0.value == self }?.key ?? "?" }

  init?(_ text: String) {
    let parts = text.split(separator: " ").map(String.init)
    guard let verb = parts.first else { return nil }
    if parts.count == 1, let action = Self.words[verb] {
      self = action
    } else {
      self.init(verb, Array(parts.dropFirst()))
    }
  }

  private init?(_ verb: String, _ words: [String]) {
    guard let first = words.first else { return nil }
    let second = words.count > 1 ? words[1] : ""
    let length = UInt32(second)
    switch (verb, length) {
    case ("put", let length?): self = .put(first, length)
    case ("create", let length?): self = .create(first, length)
    case ("append", let length?): self = .append(first, length)
    case ("replace", let length?): self = .replace(first, length)
    case ("close", _): self = .close(first)
    case ("rename", _): self = .rename(first, second)
    case ("delete", _): self = .delete(first)
    case ("link", _): self = .link(first, second)
    case ("openLate", _): self = .openLate(first)
    case ("foreign", _): self = .foreign(first)
    case ("twin", _): self = .twin(first)
    default: self.init(more: verb, words)
    }
  }

  private init?(more verb: String, _ words: [String]) {
    switch verb {
    case "answer":
      guard let behaviour = HandlerBehaviour(rawValue: words[0]) else { return nil }
      self = .answer(behaviour)
    case "away", "hang":
      guard let place = Place(path: words[0]) else { return nil }
      self = verb == "away" ? .away(place) : .hang(place)
    case "step":
      guard let index = Int(words[0]) else { return nil }
      self = .step(index)
    case "cut": self = .cut(words[0].split(separator: ",").compactMap { UInt8($0) })
    case "fault":
      guard words.count == 3, let step = StepKind(rawValue: words[0]), let count = Int(words[2]),
        let error = CallError.known.first(where: { $0.name == words[1] })?.error
      else { return nil }
      self = .fault(step, error, count == 0 ? nil : count)
    default: return nil
    }
  }
}
