import DropEngine

/// The numbers that stand for file names in the model.
///
/// All copies of a world share one table, which only grows.
final class Names {
  private var numbers: [RawPath: Name] = [:]
  private var texts: [RawPath] = []
  private var kinds: [Kind] = []
  private var entries: [String: Name] = [:]
  private var temporaries: [DropID: Name] = [:]
  private var reasons: [Name: Name] = [:]

  enum Kind: Hashable {
    /// A payload's name.
    case ordinary
    /// A name that nobody takes for a payload: a temporary one.
    case hidden
    case reason
  }

  subscript(path: RawPath) -> Name {
    if let name = numbers[path] { return name }
    let name = Name(Int32(texts.count))
    numbers[path] = name
    texts.append(path)
    let isReason = path.bytes.suffix(Self.reasonSuffix.count).elementsEqual(Self.reasonSuffix)
    kinds.append(path.bytes.first == .dot ? .hidden : isReason ? .reason : .ordinary)
    return name
  }

  /// The name that a payload has in the hold.
  func entry(_ text: String) -> Name {
    if let name = entries[text] { return name }
    let name = self[RawPath(text)]
    entries[text] = name
    return name
  }

  /// The name of a copy that is being made.
  func temporary(of id: DropID) -> Name {
    if let name = temporaries[id] { return name }
    let name = self[RawPath(".dropzone-\(id)")]
    temporaries[id] = name
    return name
  }

  /// The name of the reason file beside a reject.
  func reason(beside name: Name) -> Name {
    if let reason = reasons[name] { return reason }
    let reason = self[RawPath(bytes: text(of: name).bytes + Self.reasonSuffix)]
    reasons[name] = reason
    return reason
  }

  func text(of name: Name) -> RawPath { texts[Int(name.index)] }
  func kind(of name: Name) -> Kind { kinds[Int(name.index)] }

  private static let reasonSuffix = Array(".reason.json".utf8)
}
