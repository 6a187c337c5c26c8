import DropEngine

/// A zone's appearance as a drop target: border, symbol and first line.
struct ZoneFace: Hashable {
  enum Mark: String, CaseIterable {
    case idle = "○"
    case targeted = "●"
    case forbidden = "⊘"
    case paused = "‖"
    case blocked = "!"
  }

  let mark: Mark
  /// Whether the border is solid, as it is while something is over the zone. It shows this without colour.
  let isSolid: Bool
  /// The title, the hint while targeted, or the reason why the zone takes nothing.
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
        ? (.forbidden, zone.reason ?? "this zone takes nothing") : (zone.isTargeted ? .targeted : .idle, title)
    }
    switch zone.operation {
    case "move": badge = "→ move"
    case "copy": badge = "+ copy"
    default: badge = "⊘ \(TerminalText.safe(zone.operation))"
    }
  }

  private static func join(_ word: String, _ reason: String?) -> String {
    guard let reason, reason != word else { return word }
    return "\(word): \(reason)"
  }

  func appearance(tint: String) -> Style.Appearance {
    switch mark {
    case .idle: .faint
    case .targeted: .tint(tint)
    case .forbidden, .blocked: .bad
    case .paused: .careful
    }
  }
}
