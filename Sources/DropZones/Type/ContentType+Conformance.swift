internal import DropEngine

extension ContentType {
  /// Whether it is `type`, or a kind of it at any distance.
  ///
  /// An identifier that stands for several types, such as `.archive`, takes in all of them and their kinds, and is a
  /// kind of whatever takes in all that it does.
  public func conforms(to type: ContentType) -> Bool {
    if self == type { return true }
    let kinds = kinds
    let wanted = type.kinds
    if !kinds.isEmpty, kinds.allSatisfy({ kind in wanted.contains { Self.hierarchy.isKind(kind, of: $0) } }) {
      return true
    }
    return declaration?.parent.conforms(to: type) ?? false
  }

  /// Whether it is a kind of `type`, and not `type` itself.
  public func isSubtype(of type: ContentType) -> Bool {
    self != type && conforms(to: type)
  }

  /// Whether `type` is a kind of it, and not it itself.
  public func isSupertype(of type: ContentType) -> Bool {
    type.isSubtype(of: self)
  }

  /// Everything it is a kind of, itself left out.
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

  /// What it takes in, in the database's terms; nothing, for a type of one's own without a MIME type.
  private var kinds: [PublicIdentifiers.Kind] {
    if let mimeType = declaration?.mimeType { return [.type(mimeType)] }
    return PublicIdentifiers.kinds(of: identifier) ?? (declaration == nil ? [.type(identifier)] : [])
  }
}
