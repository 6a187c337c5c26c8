import Simulation

/// Names and bytes on a disk after a power cut.
struct DiskState: Hashable {
  struct Line: Hashable {
    let directory: Int
    let name: Int
    let file: Int
    let content: Content
  }

  let lines: [Line]

  /// What `play.py` found.
  init(_ text: Substring) {
    lines = text.split(separator: ";").map { line in
      let words = line.split(separator: " ").map { Int($0) ?? -1 }
      return Line(
        directory: words[0], name: words[1], file: words[2],
        content: Content(source: UInt32(words[3]), length: UInt32(words[4])))
    }
  }

  init(_ model: FileSystem, _ script: DiskScript) {
    lines = model.entries.filter { $0.directory != .root }.map { entry in
      Line(
        directory: Int(entry.directory.index) - 1, name: Int(entry.name.index), file: script.number(of: entry.file),
        content: model[entry.file].content)
    }.sorted { ($0.directory, $0.name) < ($1.directory, $1.name) }
  }

  /// Whether the model allows this state: some cut leaves these names, and for each file some cut leaves these bytes.
  func isAllowed(by script: DiskScript) -> Bool {
    var possible: [Int: Set<Content>] = [:]
    var haveNames = false
    var choices: Choices? = Choices()
    while var next = choices {
      var model = script.model
      model.cut(&next)
      let state = DiskState(model, script)
      for line in state.lines { possible[line.file, default: []].insert(line.content) }
      haveNames = haveNames || state.names == names
      choices = next.next
    }
    return haveNames
      && lines.allSatisfy { line in possible[line.file, default: []].contains { $0.covers(line.content) } }
  }

  private var names: [[Int]] { lines.map { [$0.directory, $0.name, $0.file] } }
}

extension Content {
  /// Whether a state of the model stands for these bytes: all lengths up to its own, and every mixture where some mixture
  /// is allowed.
  fileprivate func covers(_ found: Content) -> Bool {
    if self == found { return true }
    return (isTorn || source == found.source) && found.length <= length && found.length > 0
  }
}
