/// What to measure, how often, and where.
struct Arguments {
  var rounds = 5
  /// Use few files and one round, to see whether the benchmark works.
  var isQuick = false
  var only: [String] = []
  var json: String?
  /// The directory in which files are created and moved; its file system is the one that is measured.
  var directory = "/tmp"
  /// A Python that has watchdog and watchfiles.
  var python: String?

  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  init(_ words: [String]) throws(Wrong) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--quick" {
        isQuick = true
        rounds = 1
        continue
      }
      guard ["--rounds", "--only", "--json", "--dir", "--python"].contains(word) else {
        throw Wrong(
          description:
            "unknown argument '\(word)'; use --quick, --rounds N, --only NAME, --json FILE, --dir DIRECTORY or --python PATH"
        )
      }
      guard let value = rest.popFirst() else { throw Wrong(description: "\(word) needs a value") }
      switch word {
      case "--rounds":
        guard let number = Int(value), number > 0 else {
          throw Wrong(description: "--rounds needs a number that is at least 1")
        }
        rounds = number
      case "--only":
        guard RowGroup.all.contains(where: { $0.name == value }) else {
          throw Wrong(description: "--only needs one of \(RowGroup.all.map(\.name).joined(separator: ", "))")
        }
        only.append(value)
      case "--json": json = value
      case "--dir":
        guard value.hasPrefix("/") else { throw Wrong(description: "--dir needs an absolute path") }
        directory = value
      default: python = value
      }
    }
  }

  func wants(_ group: RowGroup) -> Bool { only.isEmpty || only.contains(group.name) }
}
