internal import DropEngine
internal import DropSystem

/// A media type, and the broader types that it belongs to.
///
/// The information comes from this machine's shared MIME database, which is read once per process. A type can be referred
/// to by each of its MIME types and by its public uniform type identifier: `ContentType("public.png")` and
/// `ContentType("image/png")` are equal. A program's own type carries its declaration with it:
///
///     extension ContentType {
///       static let card = ContentType(
///         exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card"])
///     }
///
/// Two types are equal if their identifiers are.
public struct ContentType: Sendable, Identifiable {
  /// The canonical MIME type, or an identifier that stands for no MIME type or for several.
  public let identifier: String
  /// The program's declaration, if the type is not in the database.
  let declaration: Declaration?

  init(identifier: String, declaration: Declaration? = nil) {
    self.identifier = identifier
    self.declaration = declaration
  }

  /// Creates the type with a MIME type or uniform type identifier; nil if it is not known on this machine.
  public init?(_ identifier: String) {
    if let dynamic = ContentType(dynamic: identifier) {
      self = dynamic
    } else if let name = Self.knownName(of: identifier) {
      self.init(identifier: name)
    } else {
      return nil
    }
  }

  /// Creates the type with a MIME type; nil if the text does not have the form of one.
  ///
  /// - Parameters:
  ///   - mimeType: A MIME type such as `image/png`, without parameters.
  ///   - supertype: The type that it must conform to. If no such type is declared, the result is a dynamic type.
  public init?(mimeType: String, conformingTo supertype: ContentType = .data) {
    guard TypePattern.isMediaType(mimeType) else { return nil }
    if let known = ContentType(mimeType), known.conforms(to: supertype) {
      self = known
    } else {
      let name = Self.hierarchy.canonical(mimeType.lowercased())
      self.init(identifier: name, declaration: Declaration(.dynamic, parent: supertype, mimeType: name))
    }
  }

  /// Creates the most likely type of files with an extension; nil if a name cannot have this extension.
  ///
  /// - Parameters:
  ///   - filenameExtension: An extension such as `png`, without the dot.
  ///   - supertype: The type that it must conform to. If no such type is declared, the result is a dynamic type.
  public init?(filenameExtension: String, conformingTo supertype: ContentType = .data) {
    let suffix = filenameExtension.lowercased()
    guard !suffix.isEmpty, !suffix.utf8.contains(where: { $0 == .slash || $0 == 0 }) else { return nil }
    let known = Self.hierarchy.types(withExtension: suffix).lazy.map { ContentType(mediaType: $0) }
    self = known.first { $0.conforms(to: supertype) } ?? ContentType(dynamicExtension: suffix, parent: supertype)
  }

  /// Declares a program's own type. Anything that the database knows about this identifier or MIME type also applies.
  ///
  /// A payload has this type if its name has one of the extensions and its content has the parent type, or if the database
  /// recognises the MIME type from the content. Without extensions and a MIME type, the type cannot be distinguished from
  /// its parent, and imports of it are tried for all content of the parent type.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, such as `com.example.card`.
  ///   - parent: The type that it conforms to. The default is `data`.
  ///   - filenameExtensions: The extensions of such files, without the dot, with the preferred one first.
  ///   - mimeType: The MIME type.
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
        // Accept extensions with a dot too, because many people write it.
        extensions: filenameExtensions.map { String($0.lowercased().drop { $0 == "." }) }.filter { !$0.isEmpty },
        mimeType: own.map { Self.hierarchy.canonical($0) }))
  }

  /// Refers to a type that is declared elsewhere: the known type with this identifier, or else a new one.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parent: The type that it conforms to if it is not known. The default is `data`.
  public init(importedAs identifier: String, conformingTo parent: ContentType? = nil) {
    if let known = ContentType(identifier) {
      self = known
    } else {
      self.init(exportedAs: identifier, conformingTo: parent)
    }
  }

  /// The same as the identifier.
  public var id: String { identifier }
}

extension ContentType: Hashable {
  /// Whether both have the same identifier.
  public static func == (a: ContentType, b: ContentType) -> Bool { a.identifier == b.identifier }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identifier)
  }
}

extension ContentType: CustomStringConvertible {
  /// The identifier, escaped for display.
  public var description: String { Escaping.escape(identifier) }
}

extension ContentType {
  static var hierarchy: TypeHierarchy { MIMEDatabase.shared.hierarchy }

  /// Creates a type that was determined from content, by any of its names.
  package init(mediaType: String) {
    let name = Self.hierarchy.canonical(mediaType)
    let isKnown = Self.hierarchy.isDetectable(name)
    self.init(identifier: name, declaration: isKnown ? nil : Declaration(.dynamic, parent: .data, mimeType: name))
  }

  /// Creates the most likely type that a name claims; nil if it claims none. Types that a zone declares take precedence.
  package init?(claimedBy name: DropPath, among declared: [ContentType] = []) {
    if let own = declared.first(claimedBy: name) {
      self = own
    } else if let type = MIMEDatabase.shared.claims(of: name.raw).first {
      self.init(mediaType: type)
    } else {
      return nil
    }
  }

  /// Returns the canonical name of a declared type or public identifier; nil for anything else.
  private static func knownName(of identifier: String) -> String? {
    let folded = identifier.lowercased()
    if let kinds = PublicIdentifiers.kinds(of: folded) {
      // An identifier that stands for one type is just another name for it.
      if kinds.count == 1, case .type(let type) = kinds.first { return hierarchy.canonical(type) }
      return folded
    }
    return hierarchy.isDetectable(identifier) ? hierarchy.canonical(identifier) : nil
  }
}
