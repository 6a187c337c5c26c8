internal import DropEngine

extension MIMEDatabase {
  /// The extensions of files of `type`, without the dot, the usual one first.
  ///
  /// The list of all patterns is unordered, but the description of a type has the usual extension first.
  package func extensions(of type: String) -> [String] {
    let known = hierarchy.extensions(of: type)
    guard known.count > 1, hierarchy.isDeclared(type) else { return known }
    let name = hierarchy.canonical(type)
    let described = Self.directories.lazy.compactMap { Self.contents("\($0)/\(name).xml") }.first ?? []
    let order = MIMEFiles.suffixes(inDescription: described)
    return order.filter { known.contains($0) } + known.filter { !order.contains($0) }
  }
}
