/// A key that a temporary name shares with the names that it may stand for, ignoring case.
///
/// Each name has only a few keys, so related names can be found without going through all names in a directory.
package struct NameTie: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    /// The temporary name without its affixes is the final name, or its stem.
    case whole
    /// The final name is followed by one more part that a program made up.
    case extended
    /// The same, with a part that is long enough for a name without an extension.
    case extendedLong
    /// There are parts between the stem and the extension that a program made up.
    case around
    /// Office omits one or two bytes if the name would become too long.
    case shortened
    /// rsync truncates the name if the whole would not fit into 255 bytes.
    case cut
  }

  let kind: Kind
  let name: [UInt8]

  package init(_ kind: Kind, _ name: some Sequence<UInt8>) {
    self.kind = kind
    self.name = Array(name)
  }

  /// The length of a truncated name.
  package var cutLength: Int? { kind == .cut ? name.count : nil }

  /// The keys of a name that is not temporary. `cutLengths` are the lengths of truncated names that may be related to it.
  package static func ties(of name: RawPath, cutLengths: some Sequence<Int>) -> [NameTie] {
    let folded = RawPath(bytes: name.bytes.map(\.folded))
    let bytes = folded.bytes
    var ties = [NameTie(.whole, bytes)]
    if folded.fileExtension != nil {
      ties += [NameTie(.whole, folded.stem.bytes), NameTie(.extended, bytes), NameTie(.around, bytes)]
    } else {
      ties.append(NameTie(.extendedLong, bytes))
    }
    if bytes.count > 6 { ties += [NameTie(.shortened, bytes.dropFirst()), NameTie(.shortened, bytes.dropFirst(2))] }
    for length in cutLengths where length <= bytes.count { ties.append(NameTie(.cut, bytes.prefix(length))) }
    return ties
  }
}

extension NameLists {
  /// The largest number of parts that programs put between the stem and the extension.
  private static let mostPartsAround = 8

  /// The keys of a temporary name, whose transfer may become a final name, or accompanies one.
  ///
  /// For `a.zip`: `a.zip.part`, `.a.zip.AbCdEf`, `a.part`, `a.AbC.zip.part`, `a.zip~`, `~$a.zip`, and no ordinary name.
  package func ties(ofTemporary temporary: RawPath) -> [NameTie] {
    let kind = kind(of: temporary)
    guard kind.isTemporary, let target = target(of: temporary) else { return [] }
    let core = RawPath(bytes: target.bytes.map(\.folded))
    var ties = [NameTie(.whole, core.bytes)]
    if kind.renamesFailures, temporary.bytes.count > 250 { ties.append(NameTie(.cut, core.bytes)) }
    if temporary.bytes.starts(with: "~$".utf8) { ties.append(NameTie(.shortened, core.bytes)) }
    guard let last = core.fileExtension?.bytes else { return ties }
    let before = core.stem.bytes
    if !last.isEmpty, last.allSatisfy(\.isASCIIAlphanumeric) {
      ties.append(NameTie(.extended, before))
      if last.count >= 6 { ties.append(NameTie(.extendedLong, before)) }
    }
    let dots = before.indices.dropFirst().filter { before[$0] == .dot }
    for dot in dots.suffix(Self.mostPartsAround) { ties.append(NameTie(.around, before[..<dot] + [.dot] + last)) }
    return ties
  }
}
