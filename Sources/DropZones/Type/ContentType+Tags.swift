internal import DropEngine
internal import DropSystem

extension ContentType {
  /// A kind of alternative name for a type.
  public enum TagClass: Hashable, Sendable {
    /// A filename extension, without the dot.
    case filenameExtension
    /// A MIME type.
    case mimeType
  }

  /// The alternative names of the type, with the preferred one of each kind first. Kinds without names are left out.
  public var tags: [TagClass: [String]] {
    var tags: [TagClass: [String]] = [:]
    if !extensions.isEmpty { tags[.filenameExtension] = extensions }
    if !mimeTypes.isEmpty { tags[.mimeType] = mimeTypes }
    return tags
  }

  /// The preferred filename extension, without the dot.
  public var preferredFilenameExtension: String? { extensions.first }

  /// The canonical MIME type; nil for an identifier that stands for none or for several.
  public var preferredMIMEType: String? { mediaType }

  /// A description in the language of the process; nil if the database has none.
  public var localizedDescription: String? {
    mediaType.flatMap { Self.hierarchy.isDeclared($0) ? MIMEDatabase.shared.localizedDescription(of: $0) : nil }
  }

  /// The name of the icon in icon themes, or else the icon of the group that the type belongs to.
  public var iconName: String? {
    if let mediaType, Self.hierarchy.isDeclared(mediaType) { return MIMEDatabase.shared.iconName(of: mediaType) }
    return MIMEDatabase.iconName(ofGroup: identifier) ?? declaration?.parent.iconName
  }

  /// Whether the type is declared: by the database, by a public identifier or by a program.
  public var isDeclared: Bool { !isDynamic }

  /// Whether only a MIME type or an extension of the type is known.
  public var isDynamic: Bool { declaration?.kind == .dynamic }

  private var extensions: [String] {
    let known = mediaType.map { MIMEDatabase.shared.extensions(of: $0) } ?? []
    guard let own = declaration?.extensions else { return known }
    return own + known.filter { !own.contains($0) }
  }

  private var mimeTypes: [String] {
    mediaType.map { [$0] + Self.hierarchy.aliases(of: $0) } ?? []
  }

  private var mediaType: String? {
    if let declaration { return declaration.mimeType }
    return PublicIdentifiers.kinds(of: identifier) == nil ? identifier : nil
  }
}
