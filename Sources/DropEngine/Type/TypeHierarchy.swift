/// The media types, their aliases, and their parents.
///
/// It consists of the shared MIME database, and the few additions that libmagic's names need. Every `text/…` is a subtype of
/// `text/plain`, and everything except `inode/…` is a subtype of `application/octet-stream`. Names are compared ignoring
/// case.
package struct TypeHierarchy: Sendable {
  private var aliases: [String: String] = [:]
  private var folded: [String: String] = [:]
  private var ancestors: [String: Set<String>] = [:]
  /// The canonical names of the declared types.
  package private(set) var types: Set<String> = []
  /// The types for which the database has a signature.
  package private(set) var signedTypes: Set<String> = []
  /// The types that have a subtype with a signature.
  private var generalTypes: Set<String> = []
  private var dialects: [XMLRoot.Name: String] = [:]
  private var extensions: [String: [String]] = [:]
  private var preferredExtensions: [String: [String]] = [:]

  /// Combines one or more directories of the database, of which earlier ones take precedence.
  package init(_ directories: [MIMEFiles]) {
    var parents: [String: Set<String>] = [:]
    for files in directories.reversed() {
      types.formUnion(files.types)
      aliases.merge(files.aliases) { _, earlier in earlier }
      dialects.merge(files.roots) { _, earlier in earlier }
    }
    for type in types.sorted() { folded[type.lowercased()] = type }
    for (alias, type) in aliases where !types.contains(alias) {
      // Follow an alias of an alias once, because the database has no longer chains.
      folded[alias.lowercased()] = aliases[type] ?? type
    }
    for (name, type) in MagicVocabulary.synonyms where folded[name.lowercased()] == nil {
      folded[name.lowercased()] = canonical(type)
    }
    for files in directories {
      for (type, parent) in files.subclasses { parents[canonical(type), default: []].insert(canonical(parent)) }
      signedTypes.formUnion(files.signed.map { canonical($0) })
      for (suffix, type) in files.suffixes { note(suffix: suffix, of: canonical(type)) }
    }
    for (type, parent) in MagicVocabulary.parents { parents[canonical(type), default: []].insert(canonical(parent)) }
    signedTypes.formUnion(dialects.values.map { canonical($0) })
    for type in types.union(parents.keys) { ancestors[type] = Self.closure(of: type, in: parents) }
    for type in signedTypes { generalTypes.formUnion(supertypes(of: type)) }
  }

  private mutating func note(suffix: String, of type: String) {
    if extensions[suffix]?.contains(type) != true { extensions[suffix, default: []].append(type) }
    if preferredExtensions[type]?.contains(suffix) != true { preferredExtensions[type, default: []].append(suffix) }
  }

  /// The canonical name of `type`; an unknown name stands for itself.
  package func canonical(_ type: String) -> String {
    if types.contains(type) { return type }
    return folded[type.lowercased()] ?? type
  }

  /// Whether `type`, or the type that it is an alias for, is declared.
  package func isDeclared(_ type: String) -> Bool {
    types.contains(canonical(type))
  }

  /// Whether `type` is `other`, or a direct or indirect subtype of it.
  package func conforms(_ type: String, to other: String) -> Bool {
    let type = canonical(type)
    let other = canonical(other)
    if type == other || isImplicitly(type, other) { return true }
    guard let ancestors = ancestors[type] else { return false }
    return ancestors.contains(other) || ancestors.contains { isImplicitly($0, other) }
  }

  private func isImplicitly(_ type: String, _ other: String) -> Bool {
    switch other {
    case .plainText: type.hasPrefix("text/")
    case .octetStream: !type.hasPrefix("inode/")
    default: false
    }
  }

  /// Whether a signature can identify a subtype of `type`.
  package func hasSignedKinds(_ type: String) -> Bool {
    generalTypes.contains(canonical(type))
  }

  /// All types that `type` is a subtype of.
  package func supertypes(of type: String) -> Set<String> {
    let type = canonical(type)
    var all = ancestors[type] ?? []
    if type.hasPrefix("text/") || all.contains(where: { $0.hasPrefix("text/") }) { all.insert(.plainText) }
    if !type.hasPrefix("inode/") { all.insert(.octetStream) }
    all.remove(type)
    return all
  }

  /// The type of XML documents with this root element.
  package func type(ofRoot root: XMLRoot.Name) -> String? {
    dialects[root].map { canonical($0) }
  }

  /// The root elements that XML documents of `type` have.
  package func roots(of type: String) -> Set<String> {
    Set(dialects.filter { canonical($0.value) == type }.keys.map(\.element))
  }

  /// The types of files with the extension `suffix`, which must be in lower case.
  package func types(withExtension suffix: String) -> [String] {
    extensions[suffix] ?? []
  }

  /// The extensions of such files, without the dot, with the preferred one first.
  package func extensions(of type: String) -> [String] {
    preferredExtensions[canonical(type)] ?? []
  }

  /// The aliases of `type`.
  package func aliases(of type: String) -> [String] {
    let type = canonical(type)
    return aliases.keys.filter { canonical($0) == type && $0 != type }.sorted()
  }

  /// The family of a type, which is the part before the slash.
  package static func family(of type: String) -> Substring {
    type.prefix { $0 != "/" }
  }

  /// Collects all ancestors without recursion, and tolerates cycles, because any installed package can declare types.
  private static func closure(of type: String, in parents: [String: Set<String>]) -> Set<String> {
    var reached: Set<String> = []
    var waiting = Array(parents[type] ?? [])
    while let next = waiting.popLast() {
      guard reached.insert(next).inserted else { continue }
      waiting.append(contentsOf: parents[next] ?? [])
    }
    return reached
  }
}
