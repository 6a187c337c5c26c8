import DropEngine
import DropSystem

/// Checks zones before any of them is opened.
extension DropZone {
  static func check(_ zones: [DropZone]) throws(DropZoneError) {
    for zone in zones { try zone.check() }
    if let overlap = ZoneOverlap.all(in: zones.map(\.settings)).first {
      throw DropZoneError("zone '\(zones[overlap.zone].name)': \(overlap.message)")
    }
  }

  private func check() throws(DropZoneError) {
    let shown = "zone '\(Escaping.escape(name))'"
    guard Self.isName(name) else {
      throw DropZoneError(
        "\(shown): a name has 1 to 64 ASCII letters, digits, '.', '_', '-', '+' or '@', and begins with a letter or digit"
      )
    }
    let places = [settings.path, settings.box, settings.rejects] + (settings.hold.map { [$0] } ?? [])
    for path in places where !path.hasPrefix("/") {
      throw DropZoneError("\(shown): '\(Escaping.escape(path))' is not absolute")
    }
    if settings.unit == .directory {
      throw DropZoneError("\(shown): directories as payloads are not supported yet; leave out `unit`")
    }
    guard settings.handler.command != nil else { return }
    if !actions.destinations.isEmpty {
      throw DropZoneError("\(shown): a zone cannot have both a command and an action")
    }
  }

  /// Whether the name is valid. Names appear in commands, in the environment of handlers, and in file names.
  private static func isName(_ name: String) -> Bool {
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard (1...64).contains(name.utf8.count), let first = name.utf8.first, isAlphanumeric(first) else { return false }
    return name.utf8.allSatisfy { isAlphanumeric($0) || "._-+@".utf8.contains($0) }
  }
}
