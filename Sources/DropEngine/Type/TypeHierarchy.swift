/// Which media types there are, by which other names they go, and what each is a kind of.
///
/// The shared MIME database's answers, with the few that libmagic's vocabulary needs beside them:
/// every `text/…` is a kind of `text/plain`, and everything but `inode/…` one of
/// `application/octet-stream`. Names are compared without regard to case.
package struct TypeHierarchy: Sendable {
  private var aliases: [String: String] = [:]
  private var folded: [String: String] = [:]
  private var ancestors: [String: Set<String>] = [:]
  /// The types that are declared, by their main names.
  package private(set) var types: Set<String> = []
  /// The types whose content has a signature the database knows.
  package private(set) var signedTypes: Set<String> = []
  /// The types that one of those, another than itself, is a kind of.
  private var generalTypes: Set<String> = []
  private var dialects: [XMLRoot.Name: String] = [:]
  private var extensions: [String: [String]] = [:]
  private var preferredExtensions: [String: [String]] = [:]

  /// Puts together what one or more directories of the database say; earlier ones go first.
  package init(_ directories: [MIMEFiles]) {
    var parents: [String: Set<String>] = [:]
    for files in directories.reversed() {
      types.formUnion(files.types)
      aliases.merge(files.aliases) { _, earlier in earlier }
      dialects.merge(files.roots) { _, earlier in earlier }
    }
    for type in types.sorted() { folded[type.lowercased()] = type }
    for (alias, type) in aliases where !types.contains(alias) {
      // An alias of an alias is followed once; the database has no longer chains.
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

  /// The main name of `type`; a name nobody knows stands for itself.
  package func canonical(_ type: String) -> String {
    if types.contains(type) { return type }
    return folded[type.lowercased()] ?? type
  }

  /// Whether `type`, or what it is another name for, is declared.
  package func isDeclared(_ type: String) -> Bool {
    types.contains(canonical(type))
  }

  /// Whether `type` is `other`, or a kind of it at any distance.
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

  /// Whether a signature may show that what is `type` is a narrower one.
  package func hasSignedKinds(_ type: String) -> Bool {
    generalTypes.contains(canonical(type))
  }

  /// Everything that `type` is a kind of, itself left out.
  package func supertypes(of type: String) -> Set<String> {
    let type = canonical(type)
    var all = ancestors[type] ?? []
    if type.hasPrefix("text/") || all.contains(where: { $0.hasPrefix("text/") }) { all.insert(.plainText) }
    if !type.hasPrefix("inode/") { all.insert(.octetStream) }
    all.remove(type)
    return all
  }

  /// The type of XML documents whose root element is `root`.
  package func type(ofRoot root: XMLRoot.Name) -> String? {
    dialects[root].map { canonical($0) }
  }

  /// The root elements that XML documents of `type` have.
  package func roots(of type: String) -> Set<String> {
    Set(dialects.filter { canonical($0.value) == type }.keys.map(\.element))
  }

  /// The types of files whose names end in a dot and `suffix`, in small letters.
  package func types(withExtension suffix: String) -> [String] {
    extensions[suffix] ?? []
  }

  /// The endings of the names of such files, without the dot, the usual one first.
  package func extensions(of type: String) -> [String] {
    preferredExtensions[canonical(type)] ?? []
  }

  /// The other names of `type`.
  package func aliases(of type: String) -> [String] {
    let type = canonical(type)
    return aliases.keys.filter { canonical($0) == type && $0 != type }.sorted()
  }

  /// Whether two types are of one family, the part before the slash.
  package static func family(of type: String) -> Substring {
    type.prefix { $0 != "/" }
  }

  /// A type and its kinds are declared by anyone who installs a package: cycles end, nothing recurses.
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
