/// Decides whether a name may narrow the type that the content proves.
///
/// The claimed type must be a subtype of the proved one, and the content must not be able to prove it: a file whose type has
/// a signature, but which lacks that signature, does not have that type. Unknown content cannot be narrowed.
struct ContentCheck {
  let proof: TypeDecision.Proof
  let text: TextCheck?
  let isWhole: Bool
  let hierarchy: TypeHierarchy

  func narrows(to claim: String) -> Bool {
    if proof.alternatives.contains(claim) { return true }
    if proof.isAnyScript, WeakGuesses.contains(claim) { return true }
    guard claim != proof.type else { return false }
    if proof.type == .plainText, WeakGuesses.contains(claim) { return true }
    guard hierarchy.conforms(claim, to: proof.type) else { return false }
    if proof.type == .plainText { return narrowsText(to: claim) }
    if hierarchy.conforms(claim, to: "application/json"), !hierarchy.conforms(proof.type, to: "application/json") {
      // In the database, JSON is a subtype of JavaScript.
      return false
    }
    if proof.type == "application/xml" { return narrowsXML(to: claim) }
    // The rules for subtypes of JSON depend on the order of keys, which means nothing.
    if proof.type == "application/json" { return true }
    if hierarchy.conforms(proof.type, to: "application/zip"), ZipCheck.tells(claim) { return false }
    if hierarchy.conforms(proof.type, to: "application/x-ole-storage"), CompoundCheck.tells(claim) { return false }
    if WrappedCheck.isWrapping(proof.type) {
      // Compressed content is not a picture, and the content of gzip files has been checked.
      if TypeHierarchy.family(of: claim) != TypeHierarchy.family(of: proof.type) { return false }
      if proof.type == "application/gzip", WrappedCheck.tells(claim) { return false }
    }
    return !hierarchy.signedTypes.contains(claim)
  }

  /// Text may be any subtype of text without a format of its own. For types with a format, the format is checked.
  private func narrowsText(to claim: String) -> Bool {
    guard let text else { return false }
    switch claim {
    case "text/csv":
      return TableCheck.isTable(text.bytes, isWhole: isWhole)
    case "text/tab-separated-values":
      return TableCheck.isTable(text.bytes, separators: [UInt8(ascii: "\t")], isWhole: isWhole)
    case "application/json":
      return JSONCheck(text.bytes, isWhole: isWhole) == .scalar
    case _ where hierarchy.conforms(claim, to: "application/json") || claim == "application/x-ndjson":
      return false
    case "message/rfc822", "text/rfc822-headers":
      return MailCheck.isMessage(text.bytes, isWhole: isWhole)
    case _ where hierarchy.conforms(claim, to: "application/xml"):
      return narrowsXML(to: claim)
    case _ where WeakGuesses.signed.contains(claim):
      return false
    case _ where claim.hasPrefix("text/"):
      return true
    default:
      return !hierarchy.signedTypes.contains(claim)
    }
  }

  /// XML may be a subtype without rules, or one whose root element it has, in another namespace or in none.
  private func narrowsXML(to claim: String) -> Bool {
    guard let root = proof.root else { return false }
    return claim == "application/xml" || !hierarchy.signedTypes.contains(claim)
      || hierarchy.roots(of: claim).contains(root)
  }
}
