/// The files of a zone that were copied, or put back by undo, and that are still in the zone.
///
/// They are kept by directory, so that the scan of one directory concerns no other.
package struct CopiedOriginals: Sendable {
  private var directories: [RawPath: [RawPath: CopiedOriginal]] = [:]
  /// Locations whose files are to be compared with their copies, or are being compared.
  private var compared: Set<RawPath> = []
  private var waiting = Queue<RawPath>()

  package init(_ originals: [CopiedOriginal] = []) {
    for original in originals where self[original.location] == nil { self[original.location] = original }
  }

  package var isEmpty: Bool { directories.isEmpty }

  package var all: some Sequence<CopiedOriginal> { directories.values.lazy.flatMap(\.values) }

  package subscript(location: RawPath) -> CopiedOriginal? {
    get { directories[location.parent]?[location.lastComponent] }
    set {
      let parent = location.parent
      directories[parent, default: [:]][location.lastComponent] = newValue
      if directories[parent]?.isEmpty == true { directories[parent] = nil }
    }
  }

  /// The names of the originals in a directory.
  package func names(in directory: RawPath) -> [RawPath] { directories[directory].map { Array($0.keys) } ?? [] }

  // MARK: - Comparisons

  package var isComparing: Bool { !compared.isEmpty }

  /// Has the file at a location compared with its copy, unless that is to be done already.
  package mutating func compareLater(_ location: RawPath) {
    if compared.insert(location).inserted { waiting.append(location) }
  }

  /// Returns the location that is compared next; nil if there is none, or if one is being compared.
  package mutating func nextComparison() -> RawPath? {
    guard waiting.count == compared.count else { return nil }
    return waiting.popFirst()
  }

  package mutating func endComparison(of location: RawPath) {
    compared.remove(location)
  }
}
