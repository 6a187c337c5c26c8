internal import DropEngine

extension ContentType {
  /// Returns whether it is `type` or a direct or indirect subtype of it.
  ///
  /// An identifier that stands for several types, such as `.archive`, includes all of them and their subtypes. It is a
  /// subtype of any type that includes everything that it includes.
  public func conforms(to type: ContentType) -> Bool {
    if self == type { return true }
    let kinds = kinds
    let wanted = type.kinds
    if !kinds.isEmpty, kinds.allSatisfy({ kind in wanted.contains { Self.hierarchy.isKind(kind, of: $0) } }) {
      return true
    }
    return declaration?.parent.conforms(to: type) ?? false
  }

  /// Returns whether it is a subtype of `type`, and not `type` itself.
  public func isSubtype(of type: ContentType) -> Bool {
    self != type && conforms(to: type)
  }

  /// Returns whether `type` is a subtype of it, and not the same type.
  public func isSupertype(of type: ContentType) -> Bool {
    type.isSubtype(of: self)
  }

  /// All types that it is a subtype of.
  public var supertypes: Set<ContentType> {
    var all: Set<ContentType> = []
    if let parent = declaration?.parent {
      all.insert(parent)
      all.formUnion(parent.supertypes)
    }
    for case .type(let type) in kinds.prefix(1) where kinds.count == 1 {
      all.formUnion(Self.hierarchy.supertypes(of: type).map { ContentType(mediaType: $0) })
    }
    all.formUnion(PublicIdentifiers.all.compactMap { ContentType($0) }.filter { conforms(to: $0) })
    all.remove(self)
    return all
  }

  /// The types that it includes, by their names in the database. Empty for a program's own type without a MIME type.
  private var kinds: [PublicIdentifiers.Kind] {
    if let mimeType = declaration?.mimeType { return [.type(mimeType)] }
    return PublicIdentifiers.kinds(of: identifier) ?? (declaration == nil ? [.type(identifier)] : [])
  }
}
