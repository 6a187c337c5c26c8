/// What a temporary name and a name that it may stand for have in common: theirs are equal, without regard to case.
///
/// Both sides have few of them, so that nobody has to go through all names of a directory.
package struct NameTie: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    /// The temporary name without its affixes is the name, or its stem.
    case whole
    /// Behind the name is one more part that some program made up.
    case extended
    /// The same, of a part that is long enough for a name without an extension.
    case extendedLong
    /// Between stem and extension are parts that some program made up.
    case around
    /// Office leaves out one or two bytes where the name would grow too long for it.
    case shortened
    /// rsync cuts the name where the whole would not fit into 255 bytes.
    case cut
  }

  let kind: Kind
  let name: [UInt8]

  package init(_ kind: Kind, _ name: some Sequence<UInt8>) {
    self.kind = kind
    self.name = Array(name)
  }

  /// How many bytes of a name are left, where it was cut.
  package var cutLength: Int? { kind == .cut ? name.count : nil }

  /// Those of a name that is no temporary one; `cutLengths` are the lengths of cut names it may have to do with.
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
  /// The most parts that a program puts between stem and extension.
  private static let mostPartsAround = 8

  /// Those of a temporary name: a transfer that may become a name, or goes with it.
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
