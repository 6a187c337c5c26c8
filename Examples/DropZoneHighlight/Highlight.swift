import DropZones

/// The state of a zone, as one sentence and as labels for a picture.
struct Highlight {
  let zone: DropZone
  var session: DropSession?
  var box: [String]

  var isTargeted: Bool { session?.isTargeted == true }

  /// The whole state in one sentence, for people who cannot see the picture.
  var label: String {
    let state = isTargeted ? "targeted, \(zone.hint)" : outcome
    return "\(zone.title), \(state). \(waiting). \(inBox)."
  }

  /// The files over the zone, and what each one is waiting for.
  var waiting: String {
    let items = (session?.items ?? []).map { item in
      let facts = [item.type?.localizedDescription, "\(item.byteCount) bytes", item.waiting?.description]
      return "\(item.location) (\(facts.compactMap(\.self).joined(separator: ", ")))"
    }
    return "Waiting: " + list(items)
  }

  var inBox: String { "In the box: " + list(box) }

  /// How the last session ended.
  private var outcome: String {
    guard let phase = session?.phase else { return "idle" }
    return switch phase {
    case .entering, .active, .exiting: "busy"
    case .ended(.forbidden): "refused"
    case .ended(.cancel): "withdrawn"
    case .ended, .dataTransferCompleted: "taken"
    @unknown default: "idle"
    }
  }

  private func list(_ words: [String]) -> String {
    words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}
