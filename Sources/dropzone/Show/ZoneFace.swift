import DropEngine

/// How a zone looks as a drop target: what its border, symbol and first line say.
struct ZoneFace: Hashable {
  enum Mark: String, CaseIterable {
    case idle = "○"
    case targeted = "●"
    case forbidden = "⊘"
    case paused = "‖"
    case blocked = "!"
  }

  let mark: Mark
  /// Solid while something is over the zone, else dashed: to be told apart without colour.
  let isSolid: Bool
  /// The title, the hint while targeted, or what keeps the zone from taking anything.
  let text: String
  let badge: String

  init(_ zone: ZoneStatus) {
    isSolid = zone.isTargeted
    let isForbidden = zone.operation == "forbidden"
    switch zone.state {
    case .unavailable: (mark, text) = (.blocked, Self.join("unavailable", zone.reason))
    case .paused: (mark, text) = (.paused, Self.join("paused", zone.reason))
    case .blocked: (mark, text) = (.blocked, Self.join("blocked", zone.reason))
    case .targeted, .idle:
      let title = zone.isTargeted ? zone.hint : zone.title
      (mark, text) =
        isForbidden
        ? (.forbidden, zone.reason ?? "nothing is taken here") : (zone.isTargeted ? .targeted : .idle, title)
    }
    switch zone.operation {
    case "move": badge = "→ move"
    case "copy": badge = "+ copy"
    default: badge = "⊘ \(Shown.safe(zone.operation))"
    }
  }

  private static func join(_ word: String, _ reason: String?) -> String {
    guard let reason, reason != word else { return word }
    return "\(word): \(reason)"
  }

  func inspect(tint: String) -> Style.Look {
    switch mark {
    case .idle: .faint
    case .targeted: .tint(tint)
    case .forbidden, .blocked: .bad
    case .paused: .careful
    }
  }
}
