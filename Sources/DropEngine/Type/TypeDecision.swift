/// What was seen of a file's content.
package struct ContentEvidence: Sendable {
  /// The file's first bytes.
  package let head: [UInt8]
  /// The same as text, where it is text.
  package let text: TextCheck?
  /// Whether they are all of its bytes.
  package var isWhole: Bool
  /// What the freedesktop rules say of them; nothing where they were not asked.
  package var rules: String
  /// What libmagic says; nil where it was not asked.
  package var magic: String?
  /// What is inside, of a zip file.
  package var zip: ZipCheck?
  /// What is inside, of an OLE compound file.
  package var compound: CompoundCheck?
  /// What is inside, of a gzip file.
  package var wrapped: WrappedCheck?

  package init(head: [UInt8], isWhole: Bool, rules: String = .octetStream, magic: String? = nil) {
    self.head = head
    text = TextCheck(head)
    self.isWhole = isWhole
    self.rules = rules
    self.magic = magic
  }
}

/// Decides what a file is from what was seen of it and from what its name says.
///
/// The content decides. The name may only choose among kinds of the proved type that the content
/// cannot tell apart.
package struct TypeDecision: Sendable {
  package let hierarchy: TypeHierarchy

  package init(_ hierarchy: TypeHierarchy) {
    self.hierarchy = hierarchy
  }

  /// What the content shows.
  package struct Proof: Hashable, Sendable {
    package var type: String
    /// Other types the same content may have, if the name says so.
    package var alternatives: Set<String> = []
    /// A script for an interpreter that nobody knows: any language may be its.
    package var isAnyScript = false
    /// The root element of text that is well-formed as XML, and says nothing about which.
    package var root: String?
  }

  /// Judges `evidence` under the types that the file's name may stand for, the likeliest first.
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

  /// Whether what the name says holds of `type`, though it says less.
  private func isTrue(_ claim: String, of type: String) -> Bool {
    hierarchy.conforms(type, to: claim) || WeakGuesses.covers[claim]?.contains(type) == true
      || (WeakGuesses.purposes.contains(claim) && hierarchy.conforms(type, to: .plainText))
  }

  /// Whether libmagic is to be asked first, of bytes that are no text and no container: where it knows them, the rules
  /// seldom know more.
  package func beginsWithMagic(_ evidence: ContentEvidence) -> Bool {
    !evidence.head.isEmpty && evidence.text == nil && evidence.zip == nil && evidence.compound == nil
      && evidence.wrapped == nil
  }

  /// Whether the rules' answer could change what libmagic's, `magic`, leads to; they are a long list to go through.
  package func needsRules(beside magic: String?) -> Bool {
    guard let magic = magic.map({ hierarchy.canonical($0) }) else { return true }
    return isGeneric(magic) || isTextual(magic) || MagicVocabulary.wrappings.contains(magic)
      || hierarchy.hasSignedKinds(magic)
  }

  /// Whether libmagic's answer could change the decision; asking it is dear where the content is text.
  package func needsMagic(_ evidence: ContentEvidence) -> Bool {
    if evidence.head.isEmpty { return false }
    // What is inside decides alone.
    if evidence.compound?.type != nil { return false }
    if let zip = evidence.zip, zip.type != ZipCheck.plain.type { return false }
    guard let text = evidence.text else { return true }
    let rules = hierarchy.canonical(evidence.rules)
    if text.signature == .script { return rules == .plainText }
    return !isTextual(rules) && rules != .octetStream
  }

  /// What the content of a file shows, its name left aside.
  package func proof(of evidence: ContentEvidence) -> Proof {
    if evidence.head.isEmpty { return Proof(type: .emptyFile) }
    let rules = hierarchy.canonical(evidence.rules)
    let magic = evidence.magic.map { hierarchy.canonical($0) }
    if let text = evidence.text, isTextual(rules) || rules == .octetStream {
      return proof(ofText: text, rules: rules, magic: magic, isWhole: evidence.isWhole)
    }
    let type = merged(rules: rules, magic: magic, isText: evidence.text != nil)
    // Two bytes are enough for the rules.
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

  /// The answer about binary content: libmagic's where it is specific, unless the rules are more so.
  private func merged(rules: String, magic: String?, isText: Bool) -> String {
    let ruled = isGeneric(rules) || rules == .plainText || WeakGuesses.contains(rules) ? nil : rules
    if let magic, !isGeneric(magic), !isTextual(magic) {
      if let ruled, hierarchy.conforms(ruled, to: magic) || MagicVocabulary.wrappings.contains(magic) { return ruled }
      return magic
    }
    if let ruled { return ruled }
    if isText { return .plainText }
    // Of bytes that no text has, libmagic guesses at languages too; that it found an encoding is another matter.
    return magic == .plainText ? .plainText : .octetStream
  }

  /// A package is what its members make it; what an engine saw in the first bytes counts only for
  /// types that no look inside tells.
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

  /// Mark-up is what its root element says; without a root to be seen, what a rule says, if it says which XML.
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
