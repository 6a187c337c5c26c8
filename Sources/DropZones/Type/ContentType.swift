internal import DropEngine
internal import DropSystem

/// A media type, and what it is a kind of.
///
/// It answers from this machine's shared MIME database, as it was when the process first asked. A type is known by its
/// MIME type, under each of its names, and by its public uniform type identifier: `ContentType("public.png")` and
/// `ContentType("image/png")` are equal. A type of one's own carries its declaration with it:
///
///     extension ContentType {
///       static let card = ContentType(
///         exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card"])
///     }
///
/// Two are equal when their identifiers are.
public struct ContentType: Sendable, Identifiable {
  /// Its name: the MIME type by its main name, or an identifier that stands for none or several of these.
  public let identifier: String
  /// What was said of it, where the database says nothing.
  let declaration: Declaration?

  init(identifier: String, declaration: Declaration? = nil) {
    self.identifier = identifier
    self.declaration = declaration
  }

  /// The type that goes by a MIME type or a uniform type identifier; nil when it is not known here.
  public init?(_ identifier: String) {
    if let dynamic = ContentType(dynamic: identifier) {
      self = dynamic
    } else if let name = Self.knownName(of: identifier) {
      self.init(identifier: name)
    } else {
      return nil
    }
  }

  /// The type that goes by a MIME type; nil when it is none by its form.
  ///
  /// - Parameters:
  ///   - mimeType: Such as `image/png`, without parameters.
  ///   - supertype: What it has to be a kind of. A type that nobody declared, or not as such a kind, is a dynamic one.
  public init?(mimeType: String, conformingTo supertype: ContentType = .data) {
    guard TypePattern.isMediaType(mimeType) else { return nil }
    if let known = ContentType(mimeType), known.conforms(to: supertype) {
      self = known
    } else {
      let name = Self.hierarchy.canonical(mimeType.lowercased())
      self.init(identifier: name, declaration: Declaration(.dynamic, parent: supertype, mimeType: name))
    }
  }

  /// The likeliest type of files with such names; nil when no name can end so.
  ///
  /// - Parameters:
  ///   - filenameExtension: Such as `png`, without a dot before it.
  ///   - supertype: What it has to be a kind of. A type that nobody declared, or not as such a kind, is a dynamic one.
  public init?(filenameExtension: String, conformingTo supertype: ContentType = .data) {
    let suffix = filenameExtension.lowercased()
    guard !suffix.isEmpty, !suffix.utf8.contains(where: { $0 == .slash || $0 == 0 }) else { return nil }
    let known = Self.hierarchy.types(withExtension: suffix).lazy.map { ContentType(mediaType: $0) }
    self = known.first { $0.conforms(to: supertype) } ?? ContentType(dynamicExtension: suffix, parent: supertype)
  }

  /// A type of one's own. What is known here by that name, or by its MIME type, holds of it too.
  ///
  /// Payloads are found to be of it by their name, when the content is of the parent; or by the content, where the
  /// database knows the MIME type. With neither extensions nor a MIME type it cannot be told from its parent, and
  /// imports of it are tried on whatever is of the parent.
  ///
  /// - Parameters:
  ///   - identifier: Its name, such as `com.example.card`.
  ///   - parent: What it is a kind of; data unless said.
  ///   - filenameExtensions: How names of such files end, without the dot, the usual one first.
  ///   - mimeType: Its MIME type.
  public init(
    exportedAs identifier: String, conformingTo parent: ContentType? = nil, filenameExtensions: [String] = [],
    mimeType: String? = nil
  ) {
    let name = Self.knownName(of: identifier) ?? identifier
    let own = mimeType ?? (TypePattern.isMediaType(name) ? name : nil)
    self.init(
      identifier: name,
      declaration: Declaration(
        .exported, parent: parent,
        // Many write the dot as well.
        extensions: filenameExtensions.map { String($0.lowercased().drop { $0 == "." }) }.filter { !$0.isEmpty },
        mimeType: own.map { Self.hierarchy.canonical($0) }))
  }

  /// A type that somebody else declares: the one that is known here by that name, else one of one's own.
  ///
  /// - Parameters:
  ///   - identifier: Its name.
  ///   - parent: What it is a kind of, where it is not known; data unless said.
  public init(importedAs identifier: String, conformingTo parent: ContentType? = nil) {
    if let known = ContentType(identifier) {
      self = known
    } else {
      self.init(exportedAs: identifier, conformingTo: parent)
    }
  }

  /// The same as its identifier.
  public var id: String { identifier }
}

extension ContentType: Hashable {
  /// Whether both go by one identifier.
  public static func == (a: ContentType, b: ContentType) -> Bool { a.identifier == b.identifier }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identifier)
  }
}

extension ContentType: CustomStringConvertible {
  /// The identifier, escaped for showing.
  public var description: String { Escaping.escape(identifier) }
}

extension ContentType {
  static var hierarchy: TypeHierarchy { MIMEDatabase.shared.hierarchy }

  /// The type that content was found to be of, whatever it is called.
  package init(mediaType: String) {
    let name = Self.hierarchy.canonical(mediaType)
    let isKnown = Self.hierarchy.isDetectable(name)
    self.init(identifier: name, declaration: isKnown ? nil : Declaration(.dynamic, parent: .data, mimeType: name))
  }

  /// The likeliest of the types that a name stands for; nil where it says nothing. What a zone declares goes first.
  package init?(claimedBy name: DropPath, among declared: [ContentType] = []) {
    if let own = declared.first(claimedBy: name) {
      self = own
    } else if let type = MIMEDatabase.shared.claims(of: name.raw).first {
      self.init(mediaType: type)
    } else {
      return nil
    }
  }

  /// The main name of what is declared or public; nil for anything else.
  private static func knownName(of identifier: String) -> String? {
    let folded = identifier.lowercased()
    if let kinds = PublicIdentifiers.kinds(of: folded) {
      // An identifier for a single type is another name of that type.
      if kinds.count == 1, case .type(let type) = kinds.first { return hierarchy.canonical(type) }
      return folded
    }
    return hierarchy.isDetectable(identifier) ? hierarchy.canonical(identifier) : nil
  }
}
