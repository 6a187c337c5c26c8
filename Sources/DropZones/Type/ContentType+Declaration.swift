extension ContentType {
  /// What is said of a type by who made it, and not by the database.
  struct Declaration: Sendable {
    enum Kind: String, Sendable, Codable { case exported, dynamic }

    let kind: Kind
    /// One at most; an array, because a value cannot hold one of its own type.
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

  /// A type that only its extension is known of.
  init(dynamicExtension suffix: String, parent: ContentType) {
    self.init(
      identifier: Self.dynamicPrefix + suffix, declaration: Declaration(.dynamic, parent: parent, extensions: [suffix]))
  }

  /// The dynamic type that goes by `identifier`, if it has the form of one.
  init?(dynamic identifier: String) {
    guard identifier.hasPrefix(Self.dynamicPrefix) else { return nil }
    let suffix = identifier.dropFirst(Self.dynamicPrefix.count)
    guard !suffix.isEmpty else { return nil }
    self.init(dynamicExtension: String(suffix), parent: .data)
  }
}

extension ContentType: Codable {
  private enum CodingKeys: String, CodingKey { case identifier, kind, parent, filenameExtensions, mimeType }

  /// Reads what `encode(to:)` wrote, on this machine or another one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let identifier = try container.decode(String.self, forKey: .identifier)
    let kind = try container.decodeIfPresent(Declaration.Kind.self, forKey: .kind)
    // What was known where it was written need not be so here, and the other way round.
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

  /// Writes the identifier and the whole declaration, so that a type of one's own is one wherever it is read.
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
