extension NameLists {
  /// The final name for a temporary name, as far as its affixes tell: `a.zip` for `.a.zip.AbCdEf` or `a.zip.part`.
  package func target(of temporary: RawPath) -> RawPath? {
    var name = temporary
    // A name may have several affixes, as in `.a.zip.part`, but more than eight are not realistic.
    for _ in 0..<8 {
      guard kind(of: name).isTemporary, let core = core(of: name) else { break }
      name = core
    }
    return name == temporary ? nil : name
  }

  private func core(of name: RawPath) -> RawPath? {
    let bytes = name.bytes.span
    if bytes.begins(with: Self.ownPrefix) { return nil }
    var range = Self.rsyncCore(in: bytes)
    if range == nil, let glob = temporary.first(where: { $0.matches(bytes) }) {
      // A name that is temporary as a whole, such as `.~tmp~` or `.part`, has no final name.
      guard let core = glob.core(in: bytes), !core.isEmpty else { return nil }
      range = core
    } else if range == nil, bytes.count > 1, bytes[0] == .dot {
      range = 1..<bytes.count
    }
    return range.map { RawPath(bytes: Array(name.bytes[$0])) }
  }
}
