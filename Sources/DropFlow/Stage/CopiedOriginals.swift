import DropEngine

/// What a zone has taken and not removed, by directory: a scan of one asks for no other's.
struct CopiedOriginals {
  private var directories: [RawPath: [RawPath: CopiedOriginal]] = [:]

  init(_ notes: [CopiedOriginal] = []) {
    for note in notes where self[note.location] == nil { self[note.location] = note }
  }

  var isEmpty: Bool { directories.isEmpty }

  var all: some Sequence<CopiedOriginal> { directories.values.lazy.flatMap(\.values) }

  subscript(location: RawPath) -> CopiedOriginal? {
    get { directories[location.parent]?[location.lastComponent] }
    set {
      let parent = location.parent
      directories[parent, default: [:]][location.lastComponent] = newValue
      if directories[parent]?.isEmpty == true { directories[parent] = nil }
    }
  }

  /// The names in a directory.
  func names(in directory: RawPath) -> [RawPath] { directories[directory].map { Array($0.keys) } ?? [] }
}
