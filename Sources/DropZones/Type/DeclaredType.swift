package import DropEngine

/// The type of a payload in a zone that declares its own types.
package struct DeclaredType: Hashable, Sendable {
  package let type: ContentType
  package let claimedType: ContentType?
  package let grade: ContentType.Grade

  /// Determines whether the content and the name fit one of the declared types.
  ///
  /// The type from the database applies unless a declared type has the name's extension or the content's MIME type.
  package init(_ content: TypedContent, name: DropPath, among declared: [ContentType]) {
    let proved = ContentType(mediaType: content.type)
    let claim = declared.first(claimedBy: name)
    claimedType = claim ?? content.claimedType.map { ContentType(mediaType: $0) }
    if let type = declared.first(where: { $0.isOwn(of: proved) }) {
      self.type = type
      grade = ContentType.Grade(content.grade)
    } else if let claim {
      // The content can only prove the parent type.
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
  /// The type by which payloads of this type are recognised: itself, or its parent if neither name nor content can
  /// distinguish the two.
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
  /// Returns the declared type whose extension the name has. The longest extension counts.
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
