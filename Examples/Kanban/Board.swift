import DropZones
import Foundation

/// The board's zone, whose directories are the columns.
struct Board: Zones {
  let folder: String
  private let screen = Screen()

  init(folder: String) {
    self.folder = folder
  }

  var body: some Zones {
    DropZone("board", at: folder + "/drop", box: folder + "/board", title: "Board", hint: "Release to move the card")
      .dropDestination(forEach: Card.self) { card, session in .accepted }
      .dropConfiguration { session in configuration(for: session.location) }
      .onDropSessionUpdated { session in screen.show(line(for: session)) }
  }

  /// How the board would take a card. Called while the card arrives, and again when it is complete.
  private func configuration(for location: DropPath) -> DropConfiguration {
    let column = location.parent
    guard column.components.count == 1 else { return .forbidden("cards go into a column") }
    if let card = lockedCard(in: column) { return .forbidden("'\(card.title)' locks \(column)") }
    return .move
  }

  /// Reads the files, of which there are few, so that removing a locked card from the board unlocks its column.
  private func lockedCard(in column: DropPath) -> Card? {
    guard let name = column.string else { return nil }
    let directory = "\(folder)/board/\(name)"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return files.lazy.compactMap { name in
      FileManager.default.contents(atPath: "\(directory)/\(name)").flatMap {
        try? JSONDecoder().decode(Card.self, from: $0)
      }
    }.first { $0.isLocked == true }
  }

  /// A line with all columns, such as `○ todo  ● doing  ⊘ done ('Party' locks done)`.
  private func line(for session: DropSession) -> String {
    let columns = ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/drop")) ?? []).sorted()
    // A card that is moved into a column is complete at once, so it is no longer among the staged cards.
    let cards = session.locations + [session.location]
    let marks = columns.map { DropPath($0) }.map { column in
      let card = cards.first { $0.parent == column }
      guard session.isTargeted, let card else { return "○ \(column)" }
      let configuration = configuration(for: card)
      return switch configuration.operation {
      case .move, .copy: "● \(column)"
      case .forbidden, .cancel: "⊘ \(column) (\(configuration.reason ?? "no"))"
      @unknown default: "? \(column)"
      }
    }
    return marks.joined(separator: "  ")
  }
}
