/// What is known about the content of a file.
package struct ContentEvidence: Sendable {
  /// The file's first bytes.
  package let head: [UInt8]
  /// The first bytes as text, if they are text.
  package let text: TextCheck?
  /// Whether these are all bytes of the file.
  package var isWhole: Bool
  /// The answer of the freedesktop rules; empty if they were not used.
  package var rules: String
  /// The answer of libmagic; nil if it was not used.
  package var magic: String?
  /// The content of a zip file.
  package var zip: ZipCheck?
  /// The content of an OLE compound file.
  package var compound: CompoundCheck?
  /// The content of a gzip file.
  package var wrapped: WrappedCheck?

  package init(head: [UInt8], isWhole: Bool, rules: String = .octetStream, magic: String? = nil) {
    self.head = head
    text = TextCheck(head)
    self.isWhole = isWhole
    self.rules = rules
    self.magic = magic
  }
}

/// Determines the type of a file from its content and its name.
///
/// The content decides. The name may only choose among subtypes of the proved type that the content cannot distinguish.
package struct TypeDecision: Sendable {
  package let hierarchy: TypeHierarchy

  package init(_ hierarchy: TypeHierarchy) {
    self.hierarchy = hierarchy
  }

  /// What the content proves.
  package struct Proof: Hashable, Sendable {
    package var type: String
    /// Other types that the same content may have, if the name says so.
    package var alternatives: Set<String> = []
    /// Whether it is a script for an unknown interpreter, which may be in any language.
    package var isAnyScript = false
    /// The root element of XML whose type is not known otherwise.
    package var root: String?
  }

  /// Determines the type from `evidence` and the types that the name may stand for, with the most likely one first.
  package func judge(_ evidence: ContentEvidence, claims: [String]) -> TypedContent {
    let proof = proof(of: evidence)
    let claims = claims.map { hierarchy.canonical($0) }
    if proof.type == .octetStream {
      return TypedContent(type: proof.type, claimedType: claims.first, grade: .unproved)
    }
    if proof.type == .emptyFile {
      return TypedContent(type: proof.type, claimedType: claims.first, grade: .proved)
    }
    if let claim = claims.first(where: { $0 == proof.type }) {
      return TypedContent(type: proof.type, claimedType: claim, grade: .proved)
    }
    let look = ContentCheck(proof: proof, text: evidence.text, isWhole: evidence.isWhole, hierarchy: hierarchy)
    if let claim = claims.first(where: { look.narrows(to: $0) }) {
      return TypedContent(type: claim, claimedType: claim, grade: .narrowed)
    }
    if let claim = claims.first(where: { isTrue($0, of: proof.type) }) {
      return TypedContent(type: proof.type, claimedType: claim, grade: .proved)
    }
    return TypedContent(type: proof.type, claimedType: claims.first, grade: claims.isEmpty ? .proved : .contradicted)
  }

  /// Whether the name's claim is true for `type`, even if it is less specific.
  private func isTrue(_ claim: String, of type: String) -> Bool {
    hierarchy.conforms(type, to: claim) || WeakGuesses.covers[claim]?.contains(type) == true
      || (WeakGuesses.purposes.contains(claim) && hierarchy.conforms(type, to: .plainText))
  }

  /// Whether to ask libmagic first. This is for content that is neither text nor a container: if libmagic identifies it, the
  /// rules seldom add anything.
  package func beginsWithMagic(_ evidence: ContentEvidence) -> Bool {
    !evidence.head.isEmpty && evidence.text == nil && evidence.zip == nil && evidence.compound == nil
      && evidence.wrapped == nil
  }

  /// Whether the rules could change the result after libmagic's answer. The rules are a long list, so they are slow.
  package func needsRules(beside magic: String?) -> Bool {
    guard let magic = magic.map({ hierarchy.canonical($0) }) else { return true }
    return isGeneric(magic) || isTextual(magic) || MagicVocabulary.wrappings.contains(magic)
      || hierarchy.hasSignedKinds(magic)
  }

  /// Whether libmagic's answer could change the decision. Asking it is slow if the content is text.
  package func needsMagic(_ evidence: ContentEvidence) -> Bool {
    if evidence.head.isEmpty { return false }
    // The content of the container alone decides.
    if evidence.compound?.type != nil { return false }
    if let zip = evidence.zip, zip.type != ZipCheck.plain.type { return false }
    guard let text = evidence.text else { return true }
    let rules = hierarchy.canonical(evidence.rules)
    if text.signature == .script { return rules == .plainText }
    return !isTextual(rules) && rules != .octetStream
  }

  /// What the content of a file proves, regardless of its name.
  package func proof(of evidence: ContentEvidence) -> Proof {
    if evidence.head.isEmpty { return Proof(type: .emptyFile) }
    let rules = hierarchy.canonical(evidence.rules)
    let magic = evidence.magic.map { hierarchy.canonical($0) }
    if let text = evidence.text, isTextual(rules) || rules == .octetStream {
      return proof(ofText: text, rules: rules, magic: magic, isWhole: evidence.isWhole)
    }
    let type = merged(rules: rules, magic: magic, isText: evidence.text != nil)
    // The rules check only two bytes for these.
    if type == "image/jpeg", !evidence.head.starts(with: [0xFF, 0xD8, 0xFF]) { return Proof(type: .octetStream) }
    if hierarchy.conforms(type, to: "application/zip") {
      return proof(ofZip: evidence.zip ?? .plain, found: type)
    }
    if let inside = evidence.compound, evidence.head.starts(with: CompoundCheck.signature) {
      return Proof(type: inside.type ?? (CompoundCheck.tells(type) ? "application/x-ole-storage" : type))
    }
    var alternatives = MagicVocabulary.otherUses[type] ?? []
    if type == "application/gzip", let inside = evidence.wrapped {
      alternatives.formUnion(inside.alternatives(in: hierarchy))
    }
    return Proof(type: type, alternatives: alternatives)
  }

  /// The type of binary content: libmagic's answer if it is specific, unless the rules are more specific.
  private func merged(rules: String, magic: String?, isText: Bool) -> String {
    let ruled = isGeneric(rules) || rules == .plainText || WeakGuesses.contains(rules) ? nil : rules
    if let magic, !isGeneric(magic), !isTextual(magic) {
      if let ruled, hierarchy.conforms(ruled, to: magic) || MagicVocabulary.wrappings.contains(magic) { return ruled }
      return magic
    }
    if let ruled { return ruled }
    if isText { return .plainText }
    // For binary content, libmagic sometimes guesses a programming language, unlike when it has detected an encoding.
    return magic == .plainText ? .plainText : .octetStream
  }

  /// The members of a package determine its type. The answers about its first bytes count only for types that the members
  /// cannot prove.
  private func proof(ofZip inside: ZipCheck, found type: String) -> Proof {
    if inside.type == "application/zip", !ZipCheck.tells(type) {
      return Proof(type: type, alternatives: inside.alternatives)
    }
    return Proof(
      type: hierarchy.canonical(inside.type), alternatives: Set(inside.alternatives.map { hierarchy.canonical($0) }))
  }

  private func proof(ofText text: TextCheck, rules: String, magic: String?, isWhole: Bool) -> Proof {
    switch text.signature {
    case .script:
      if rules != .plainText, isTextual(rules) { return Proof(type: rules) }
      if let magic, WeakGuesses.isScript(magic) { return Proof(type: magic) }
      return Proof(type: "application/x-shellscript", isAnyScript: true)
    case .php:
      return Proof(type: "application/x-php")
    case .html:
      if hierarchy.conforms(rules, to: "text/html") { return Proof(type: rules) }
      return Proof(type: "text/html", alternatives: ["application/xhtml+xml"])
    case nil: break
    }
    switch text.firstByte {
    case UInt8(ascii: "<"): return proof(ofMarkUp: text, rules: rules)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if hierarchy.conforms(rules, to: "application/json"), !WeakGuesses.contains(rules) { return Proof(type: rules) }
      switch JSONCheck(text.bytes, isWhole: isWhole) {
      case .document: return Proof(type: "application/json")
      case .lines: return Proof(type: "application/x-ndjson")
      case .scalar, nil: break
      }
    default: break
    }
    if rules == .octetStream || WeakGuesses.contains(rules) || hierarchy.conforms(rules, to: "application/xml") {
      return Proof(type: .plainText)
    }
    if rules == "message/rfc822", !MailCheck.isMessage(text.bytes, isWhole: isWhole) { return Proof(type: .plainText) }
    return Proof(type: rules)
  }

  /// The root element determines the type of markup. Without a visible root, a rule's answer counts if it is a type of XML.
  private func proof(ofMarkUp text: TextCheck, rules: String) -> Proof {
    let root = XMLRoot(text.bytes)
    if let type = root.flatMap({ hierarchy.type(ofRoot: $0.name) }) {
      return Proof(type: type, alternatives: type == "application/xhtml+xml" ? ["text/html"] : [])
    }
    let isXML = hierarchy.conforms(rules, to: "application/xml")
    if isXML, rules != "application/xml" { return Proof(type: rules) }
    if root?.hasDeclaration == true || (isXML && text.bytes.drop(while: \.isSpace).starts(with: "<?xml".utf8)) {
      return Proof(type: "application/xml", root: root?.name.element)
    }
    if !isTextual(rules) || isXML || WeakGuesses.contains(rules) || rules == .plainText {
      return Proof(type: .plainText, root: root?.name.element)
    }
    return Proof(type: rules)
  }

  private func isGeneric(_ type: String) -> Bool {
    MagicVocabulary.generic.contains(type)
  }

  private func isTextual(_ type: String) -> Bool {
    hierarchy.conforms(type, to: .plainText) || type.hasSuffix("+xml") || type.hasSuffix("+json")
      || hierarchy.conforms(type, to: "application/json") || hierarchy.conforms(type, to: "application/javascript")
  }
}
