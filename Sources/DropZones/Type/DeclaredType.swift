package import DropEngine

/// What a payload is to a zone that declares types of its own.
package struct DeclaredType: Hashable, Sendable {
  package let type: ContentType
  package let claimedType: ContentType?
  package let grade: ContentType.Grade

  /// Looks whether the content and the name make a payload one of `declared`.
  ///
  /// The database's word stands unless a declared type has the name's extension or the content's MIME type.
  package init(_ content: TypedContent, name: DropPath, among declared: [ContentType]) {
    let proved = ContentType(mediaType: content.type)
    let claim = declared.first(claimedBy: name)
    claimedType = claim ?? content.claimedType.map { ContentType(mediaType: $0) }
    if let type = declared.first(where: { $0.isOwn(of: proved) }) {
      self.type = type
      grade = ContentType.Grade(content.grade)
    } else if let claim {
      // Its parent is all that content can prove of it.
      let fits = proved.conforms(to: claim.recognizedParent)
      type = fits ? claim : proved
      grade = fits ? .narrowed : .contradicted
    } else {
      type = proved
      grade = ContentType.Grade(content.grade)
    }
  }
}

extension ContentType {
  /// The type by which payloads are found to be of this one: itself, or its parent where neither name nor content
  /// tells the two apart.
  var recognized: ContentType {
    guard let declaration, declaration.kind == .exported, declaration.extensions.isEmpty, declaration.mimeType == nil
    else { return self }
    return declaration.parent.recognized
  }

  fileprivate var recognizedParent: ContentType { declaration?.parent.recognized ?? self }

  fileprivate func isOwn(of type: ContentType) -> Bool {
    declaration?.kind == .exported && declaration?.mimeType == type.identifier
  }
}

extension [ContentType] {
  /// The type of one's own that a name ends as, by the longest of such endings.
  func first(claimedBy name: DropPath) -> ContentType? {
    let name = String(decoding: name.lastComponent.bytes, as: UTF8.self).lowercased()
    var best: (type: ContentType, length: Int)?
    for type in self where type.declaration?.kind == .exported {
      for suffix in type.declaration?.extensions ?? [] where name.hasSuffix("." + suffix) {
        if suffix.utf8.count > best?.length ?? 0 { best = (type, suffix.utf8.count) }
      }
    }
    return best?.type
  }
}
