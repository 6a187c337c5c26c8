extension NameLists {
  /// The name a temporary one stands for, as far as its affixes tell: `a.zip` for `.a.zip.AbCdEf` or `a.zip.part`.
  package func target(of temporary: RawPath) -> RawPath? {
    var name = temporary
    // A name may wear several, as in `.a.zip.part`; more than eight are somebody's joke.
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
      // What is a temporary name as a whole, such as `.~tmp~` or `.part`, stands for nothing.
      guard let core = glob.core(in: bytes), !core.isEmpty else { return nil }
      range = core
    } else if range == nil, bytes.count > 1, bytes[0] == .dot {
      range = 1..<bytes.count
    }
    return range.map { RawPath(bytes: Array(name.bytes[$0])) }
  }

  /// Whether `temporary` is a transfer that may become `name`, or goes with it.
  ///
  /// For `a.zip`: `a.zip.part`, `.a.zip.AbCdEf`, `a.part`, `a.AbC.zip.part`, `a.zip~`, `~$a.zip`, and no ordinary name.
  package func isTemporary(_ temporary: RawPath, of name: RawPath) -> Bool {
    let kind = kind(of: temporary)
    guard kind.isTemporary, let target = target(of: temporary) else { return false }
    let core = target.bytes.map(\.folded)
    let name = name.bytes.map(\.folded)
    if core == name { return true }
    // rsync cuts the name where the whole would not fit into 255 bytes.
    if kind.renamesFailures, temporary.bytes.count > 250, name.starts(with: core) { return true }
    // Office leaves out one or two bytes where the name would grow too long for it.
    if temporary.bytes.starts(with: "~$".utf8), name.count > 6,
      name.count - core.count <= 2, name.count > core.count, name.reversed().starts(with: core.reversed())
    {
      return true
    }
    let path = RawPath(bytes: name)
    let stem = path.stem.bytes
    if let fileExtension = path.fileExtension?.bytes {
      if core == stem { return true }
      if core.count > stem.count + fileExtension.count + 1, core.starts(with: stem + [.dot]),
        core.suffix(fileExtension.count + 1) == ArraySlice([.dot] + fileExtension)
      {
        return true
      }
    }
    // `a.zip.AbCdEf.part`: one more part that some program made up.
    guard core.count > name.count + 1, core.starts(with: name + [.dot]) else { return false }
    let added = core[(name.count + 1)...]
    return added.allSatisfy(\.isASCIIAlphanumeric) && (path.fileExtension != nil || added.count >= 6)
  }
}
