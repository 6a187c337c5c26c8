/// The root element of an XML document, found in its first bytes.
package struct XMLRoot: Hashable, Sendable {
  package struct Name: Hashable, Sendable {
    /// The namespace; empty if there is none.
    package var namespace: String
    package var element: String

    package init(namespace: String, element: String) {
      self.namespace = namespace
      self.element = element
    }
  }

  package let name: Name
  /// Whether the document has an XML declaration.
  package let hasDeclaration: Bool

  /// Finds the root; nil if the bytes are not the beginning of XML, or do not contain the root.
  package init?(_ bytes: some Collection<UInt8>) {
    var text = TextScanner(bytes)
    var hasDeclaration = false
    text.skipSpace()
    while true {
      if text.skip("<?") {
        hasDeclaration = hasDeclaration || text.sees("xml")
        guard text.skip(through: "?>") else { return nil }
      } else if text.skip("<!--") {
        guard text.skip(through: "-->") else { return nil }
      } else if text.skip("<!DOCTYPE") {
        guard Self.skipDoctype(&text) else { return nil }
      } else {
        break
      }
      text.skipSpace()
    }
    guard text.skip("<"), let tag = text.name() else { return nil }
    let parts = tag.split(separator: ":", maxSplits: 1)
    let attribute = parts.count == 2 ? "xmlns:\(parts[0])" : "xmlns"
    var namespace = ""
    while true {
      text.skipSpace()
      if text.skip(">") || text.skip("/>") { break }
      guard let key = text.name() else { return nil }
      text.skipSpace()
      guard text.skip("=") else { return nil }
      text.skipSpace()
      guard let value = text.quoted() else { return nil }
      if key == attribute { namespace = String(decoding: value, as: UTF8.self) }
    }
    name = Name(namespace: namespace, element: String(parts.last ?? ""))
    self.hasDeclaration = hasDeclaration
  }

  /// Skips the rest of a document type declaration, including its internal subset.
  private static func skipDoctype(_ text: inout TextScanner) -> Bool {
    var isInside = false
    while let byte = text.next() {
      switch byte {
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard text.skip(through: byte) else { return false }
      case UInt8(ascii: ">") where !isInside: return true
      default: break
      }
    }
    return false
  }
}
