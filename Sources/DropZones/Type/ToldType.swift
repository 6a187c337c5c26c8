package import DropEngine

/// What a payload is to a zone that declares types of its own.
package struct ToldType: Hashable, Sendable {
  package let type: ContentType
  package let claimedType: ContentType?
  package let grade: ContentType.Grade

  /// Looks whether the content and the name make a payload one of `declared`.
  ///
  /// The database's word stands unless a declared type has the name's extension or the content's MIME type.
  package init(_ content: TypedContent, name: DropPath, among declared: [ContentType]) {
    let proved = ContentType(mediaType: content.type)
    let own = declared.filter { $0.declaration?.kind == .exported }
    let suffix = name.filenameExtension?.lowercased()
    let claim = own.first { $0.hasExtension(suffix) }
    claimedType = claim ?? content.claimedType.map { ContentType(mediaType: $0) }
    if let type = own.first(where: { $0.isMediaType(of: proved) }) {
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

  fileprivate func isMediaType(of type: ContentType) -> Bool {
    declaration?.mimeType == type.identifier
  }

  fileprivate func hasExtension(_ suffix: String?) -> Bool {
    suffix.map { declaration?.extensions.contains($0) == true } ?? false
  }
}
