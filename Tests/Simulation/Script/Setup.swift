package import DropEngine

/// The configuration that a script runs with.
package struct Setup: Hashable, Sendable {
  package var zoneDisk = FileSystemKind.ext4
  /// Nil if the box is on the zone's file system.
  package var boxDisk: FileSystemKind?
  package var operation = DeliveryRules.Operation.move
  package var collision = DeliveryRules.Collision.rename
  package var isDurable = true
  package var hasHandler = false
  /// Whether the handler may change its payload.
  package var changes = false
  /// Whether a lease shows open writers.
  package var usesLease = true
  /// Whether delivered files get an owner or a mode.
  package var setsMode = false
  package var hasSecondZone = false

  package init() {}

  package var isNear: Bool { boxDisk == nil }

  static let attemptsLimit = 3

  func settings(of zone: Place) -> ZoneSettings {
    var settings = ZoneSettings(
      name: zone == .zone ? "one" : "two", path: zone.path, box: Place.box.path, rejects: Place.rejects.path)
    settings.delivery.operation = operation
    settings.delivery.collision = collision
    settings.delivery.durable = isDurable
    settings.handler.attempts = Self.attemptsLimit
    settings.handler.changes = changes
    return settings
  }
}

extension Setup: CustomStringConvertible {
  package var description: String {
    var words = ["zone=\(zoneDisk.rawValue)"]
    if let boxDisk { words.append("box=\(boxDisk.rawValue)") }
    if operation == .copy { words.append("copy") }
    if collision != .rename { words.append("collision=\(collision.rawValue)") }
    if !isDurable { words.append("durable=no") }
    if hasHandler { words.append("handler") }
    if changes { words.append("changes") }
    if !usesLease { words.append("lease=no") }
    if setsMode { words.append("mode") }
    if hasSecondZone { words.append("zones=2") }
    return words.joined(separator: " ")
  }

  /// Parses what `description` prints; nil if a word is unknown.
  package init?(_ text: String) {
    for word in text.split(separator: " ") {
      let parts = String(word).split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first ?? "", parts.count > 1 ? parts[1] : "") {
      case ("zone", let kind): zoneDisk = FileSystemKind(rawValue: kind) ?? .ext4
      case ("box", let kind): boxDisk = FileSystemKind(rawValue: kind)
      case ("copy", _): operation = .copy
      case ("collision", let rule): collision = DeliveryRules.Collision(rawValue: rule) ?? .rename
      case ("durable", _): isDurable = false
      case ("handler", _): hasHandler = true
      case ("changes", _): changes = true
      case ("lease", _): usesLease = false
      case ("mode", _): setsMode = true
      case ("zones", _): hasSecondZone = true
      default: return nil
      }
    }
  }
}
