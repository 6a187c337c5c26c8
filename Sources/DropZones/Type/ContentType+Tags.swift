internal import DropEngine
internal import DropSystem

extension ContentType {
  /// A kind of other names that a type has.
  public enum TagClass: Hashable, Sendable {
    /// How names of such files end, without the dot.
    case filenameExtension
    /// Its MIME type.
    case mimeType
  }

  /// Its other names, the usual one of each kind first; a kind without any is left out.
  public var tags: [TagClass: [String]] {
    var tags: [TagClass: [String]] = [:]
    if !extensions.isEmpty { tags[.filenameExtension] = extensions }
    if !mimeTypes.isEmpty { tags[.mimeType] = mimeTypes }
    return tags
  }

  /// How names of such files usually end, without the dot.
  public var preferredFilenameExtension: String? { extensions.first }

  /// Its MIME type by its main name; nil for what stands for none or several.
  public var preferredMIMEType: String? { mediaType }

  /// What people call it, in the language of the process; nil where the database has no words for it.
  public var localizedDescription: String? {
    mediaType.flatMap { Self.hierarchy.isDeclared($0) ? MIMEDatabase.shared.localizedDescription(of: $0) : nil }
  }

  /// The name of the icon that themes have for it, else that of the larger group it is in.
  public var iconName: String? {
    if let mediaType, Self.hierarchy.isDeclared(mediaType) { return MIMEDatabase.shared.iconName(of: mediaType) }
    return MIMEDatabase.iconName(ofGroup: identifier) ?? declaration?.parent.iconName
  }

  /// Whether somebody said what it is: the database, the public identifiers, or who made it.
  public var isDeclared: Bool { !isDynamic }

  /// Whether only a MIME type or an extension is known of it.
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
