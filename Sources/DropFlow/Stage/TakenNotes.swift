import DropEngine

/// What a zone has taken and not removed, by directory: a scan of one asks for no other's.
struct TakenNotes {
  private var directories: [RawPath: [RawPath: TakenNote]] = [:]

  init(_ notes: [TakenNote] = []) {
    for note in notes where self[note.location] == nil { self[note.location] = note }
  }

  var isEmpty: Bool { directories.isEmpty }

  var all: some Sequence<TakenNote> { directories.values.lazy.flatMap(\.values) }

  subscript(location: RawPath) -> TakenNote? {
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
