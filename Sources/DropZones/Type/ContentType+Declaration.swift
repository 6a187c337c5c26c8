extension ContentType {
  /// The declaration of a type by a program, and not by the database.
  struct Declaration: Sendable {
    enum Kind: String, Sendable, Codable { case exported, dynamic }

    let kind: Kind
    /// At most one parent. This is an array, because a struct cannot contain itself.
    private let parents: [ContentType]
    let extensions: [String]
    let mimeType: String?

    init(_ kind: Kind, parent: ContentType?, extensions: [String] = [], mimeType: String? = nil) {
      self.kind = kind
      parents = parent.map { [$0] } ?? []
      self.extensions = extensions
      self.mimeType = mimeType
    }

    var parent: ContentType { parents.first ?? .data }
  }

  private static let dynamicPrefix = "dyn."

  /// Creates a type of which only the extension is known.
  init(dynamicExtension suffix: String, parent: ContentType) {
    self.init(
      identifier: Self.dynamicPrefix + suffix, declaration: Declaration(.dynamic, parent: parent, extensions: [suffix]))
  }

  /// Creates the dynamic type with this identifier, if it has the form of one.
  init?(dynamic identifier: String) {
    guard identifier.hasPrefix(Self.dynamicPrefix) else { return nil }
    let suffix = identifier.dropFirst(Self.dynamicPrefix.count)
    guard !suffix.isEmpty else { return nil }
    self.init(dynamicExtension: String(suffix), parent: .data)
  }
}

extension ContentType: Codable {
  private enum CodingKeys: String, CodingKey { case identifier, kind, parent, filenameExtensions, mimeType }

  /// Decodes a type that was encoded on this machine or another one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let identifier = try container.decode(String.self, forKey: .identifier)
    let kind = try container.decodeIfPresent(Declaration.Kind.self, forKey: .kind)
    // A type that was known where it was encoded may not be known here, and vice versa.
    if kind != .exported, let known = ContentType(identifier), !known.isDynamic {
      self = known
      return
    }
    guard let kind else {
      self.init(mediaType: identifier)
      return
    }
    self.init(
      identifier: identifier,
      declaration: Declaration(
        kind, parent: try container.decodeIfPresent(ContentType.self, forKey: .parent),
        extensions: try container.decodeIfPresent([String].self, forKey: .filenameExtensions) ?? [],
        mimeType: try container.decodeIfPresent(String.self, forKey: .mimeType)))
  }

  /// Encodes the identifier and the whole declaration, so that a program's own type can be decoded anywhere.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(identifier, forKey: .identifier)
    guard let declaration else { return }
    try container.encode(declaration.kind, forKey: .kind)
    try container.encode(declaration.parent, forKey: .parent)
    if !declaration.extensions.isEmpty { try container.encode(declaration.extensions, forKey: .filenameExtensions) }
    try container.encodeIfPresent(declaration.mimeType, forKey: .mimeType)
  }
}
