internal import DropEngine

extension ZoneGroup {
  /// Which payloads the zone accepts.
  static let accept = ZoneGroup(
    name: "Accept",
    keys: [
      ZoneKey("Types", \.accept.types) { try $0.types() },
      ZoneKey("Grade", \.accept.grades) { try $0.choices() },
      ZoneKey("MinSize", \.accept.minSize) { try $0.size() },
      ZoneKey("MaxSize", \.accept.maxSize) { try $0.size() },
      ZoneKey("MaxItems", \.accept.maxItems) { try $0.count(1...1_000_000) },
      ZoneKey("Names", \.accept.names) { try $0.patterns(instead: "leave 'Names=' empty to accept all names") },
      ZoneKey("ExcludeNames", \.accept.excludeNames) { try $0.patterns(instead: "no file would ever be taken") },
    ])
}
