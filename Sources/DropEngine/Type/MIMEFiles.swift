/// The content of the files in one directory of the shared MIME database.
///
/// Each file is a list of lines. Lines in an unknown format are skipped, as the specification requires.
package struct MIMEFiles: Sendable {
  /// `types`: the canonical names.
  package private(set) var types: [String] = []
  /// `aliases`: the canonical name for each alias.
  package private(set) var aliases: [String: String] = [:]
  /// `subclasses`: types and their parents.
  package private(set) var subclasses: [(type: String, parent: String)] = []
  /// `magic`: the types that have a content rule.
  package private(set) var signed: Set<String> = []
  /// `XMLnamespaces`: root elements and their types.
  package private(set) var roots: [XMLRoot.Name: String] = [:]
  /// `globs2`: lower-case extensions without the dot, with the best type first.
  package private(set) var suffixes: [(suffix: String, type: String)] = []

  package init(
    types: [UInt8] = [], aliases: [UInt8] = [], subclasses: [UInt8] = [], magic: [UInt8] = [],
    roots: [UInt8] = [], globs: [UInt8] = []
  ) {
    self.types = Self.rows(types).compactMap { $0.first }
    for row in Self.rows(aliases) where row.count == 2 { self.aliases[row[0]] = row[1] }
    for row in Self.rows(subclasses) where row.count == 2 { self.subclasses.append((row[0], row[1])) }
    for row in Self.rows(roots) where row.count == 3 {
      self.roots[XMLRoot.Name(namespace: row[0], element: row[1])] = row[2]
    }
    signed = Self.headings(magic)
    for row in Self.rows(globs, separator: .init(ascii: ":")) where row.count >= 3 {
      let pattern = row[2].lowercased()
      guard pattern.hasPrefix("*."), !pattern.dropFirst().contains(where: { "*?[".contains($0) }) else { continue }
      suffixes.append((String(pattern.dropFirst(2)), row[1]))
    }
  }

  private static func rows(_ file: [UInt8], separator: UInt8 = .init(ascii: " ")) -> [[String]] {
    file.split(separator: .init(ascii: "\n")).compactMap { line in
      guard line.first != .init(ascii: "#") else { return nil }
      return line.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The types in lines such as `[50:application/pdf]`. The data between these lines is binary.
  private static func headings(_ file: [UInt8]) -> Set<String> {
    var types: Set<String> = []
    for line in file.split(separator: .init(ascii: "\n")) {
      guard line.first == .init(ascii: "["), line.last == .init(ascii: "]"),
        let colon = line.firstIndex(of: .init(ascii: ":"))
      else { continue }
      types.insert(String(decoding: line[(colon + 1)...].dropLast(), as: UTF8.self))
    }
    return types
  }

  /// The lower-case extensions in the file of a type, `MEDIA/SUBTYPE.xml`, in the order of the file.
  package static func suffixes(inDescription file: [UInt8]) -> [String] {
    let opening = "<glob pattern=\"*."
    return String(decoding: file, as: UTF8.self).split(separator: "\n").compactMap { line in
      let line = line.drop { $0 == " " }
      guard line.hasPrefix(opening) else { return nil }
      return line.dropFirst(opening.count).prefix { $0 != "\"" }.lowercased()
    }
  }
}
