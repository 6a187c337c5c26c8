internal import DropEngine

extension ZoneGroup {
  /// The directories of the zone, and how it is displayed.
  static let zone = ZoneGroup(
    name: "Zone",
    keys: [
      ZoneKey("Path", \.path) { try $0.path() },
      ZoneKey("Box", \.box) { try $0.path() },
      ZoneKey("Rejects", \.rejects) { try $0.path() },
      ZoneKey("Hold", \.hold) { try $0.path() },
      ZoneKey("Unit", \.unit) { try $0.choice(later: [.directory: "Unit=file"]) },
      ZoneKey("Recursive", \.recursive) { try $0.boolean() },
      ZoneKey("Prune", \.prune) { try $0.boolean() },
      ZoneKey("RequireMount", \.requireMount) { try $0.choices() },
      ZoneKey("Title", \.title) { try $0.text() },
      ZoneKey("Hint", \.hint) { try $0.text() },
      ZoneKey("Symbol", \.symbol) { try $0.text() },
      ZoneKey("Tint", \.tint) { try $0.tint() },
    ])
}
