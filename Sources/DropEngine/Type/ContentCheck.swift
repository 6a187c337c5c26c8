/// Whether a name may say more than the content proves.
///
/// Only a kind of the proved type, and only one that the content cannot tell: what has a signature
/// and does not show it is not what its name says. Nothing narrows content of which nothing is known.
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
      // The database calls JSON a kind of JavaScript.
      return false
    }
    if proof.type == "application/xml" { return narrowsXML(to: claim) }
    // Rules for kinds of JSON go by the order of its keys, which says nothing.
    if proof.type == "application/json" { return true }
    if hierarchy.conforms(proof.type, to: "application/zip"), ZipCheck.tells(claim) { return false }
    if hierarchy.conforms(proof.type, to: "application/x-ole-storage"), CompoundCheck.tells(claim) { return false }
    if WrappedCheck.isWrapping(proof.type) {
      // What is only compressed is no picture; and into gzip a look was taken.
      if TypeHierarchy.family(of: claim) != TypeHierarchy.family(of: proof.type) { return false }
      if proof.type == "application/gzip", WrappedCheck.tells(claim) { return false }
    }
    return !hierarchy.signedTypes.contains(claim)
  }

  /// Text may be any kind of text that has no form of its own; of one that has, the form is looked for.
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

  /// XML may be of a kind that no rule tells, or of one whose root element it has, in another namespace or none.
  private func narrowsXML(to claim: String) -> Bool {
    guard let root = proof.root else { return false }
    return claim == "application/xml" || !hierarchy.signedTypes.contains(claim)
      || hierarchy.roots(of: claim).contains(root)
  }
}
