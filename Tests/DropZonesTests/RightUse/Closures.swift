// All forms of closures that people write for a zone.
import DropZones

final class Archive: Sendable {
  func takesAll(_ files: [DroppedFile], _ session: DropSession) -> Bool { !files.isEmpty }
  func verdict(_ file: DroppedFile, _ session: DropSession) async throws -> DropVerdict { .accepted }
  func configuration(_ session: DropSession) -> DropConfiguration { .move }
}

@MainActor final class Screen {
  var isLit = false
}

func zones(_ archive: Archive, _ screen: Screen) -> [DropZone] {
  let zone = DropZone("scans", at: "/srv/drop", box: "/srv/box")
  return [
    zone.dropDestination(for: DroppedFile.self) { _, _ in true },
    zone.dropDestination(for: DroppedFile.self) { files, _ in files.allSatisfy { $0.byteCount > 0 } },
    zone.dropDestination(for: DroppedFile.self) { files, session in
      guard files.count < 10 else { throw DropVerdict.rejected("too many") }
      print(session.id)
      return true
    },
    zone.dropDestination(for: DroppedFile.self) { _, _ in throw DropVerdict.notYet("later") },
    zone.dropDestination(for: DroppedFile.self, action: archive.takesAll),
    zone.dropDestination(for: String.self) { @MainActor texts, _ in
      screen.isLit = texts.isEmpty
      return true
    } isTargeted: { @MainActor isTargeted in
      screen.isLit = isTargeted
    },
    zone.dropDestination(forEach: DroppedFile.self) { file, _ in
      file.byteCount > 0 ? .accepted(in: "photos") : .rejected("the picture is cut off")
    },
    zone.dropDestination(forEach: DroppedFile.self) { file, _ in
      if file.type.conforms(to: .image) { .accepted } else { .rejected("no picture") }
    },
    zone.dropDestination(forEach: DroppedFile.self) { file, _ in
      switch file.grade {
      case .proved: .accepted
      case .narrowed: .accepted(as: "narrowed", operation: .copy)
      default: .notYet("somebody has to look", retryAfter: .seconds(60))
      }
    },
    zone.dropDestination(forEach: DroppedFile.self) { file, _ in
      do {
        _ = try file.contents(upTo: 100)
        return .accepted
      } catch {
        return .rejected("\(error)")
      }
    },
    zone.dropDestination(forEach: DroppedFile.self, action: archive.verdict),
    zone.dropConfiguration(archive.configuration),
    zone.dropConfiguration { session in
      switch session.phase {
      case .ended(.cancel): .copy
      default: session.suggestedOperations.contains(.move) ? .move : .forbidden("it cannot be taken away")
      }
    },
    DropZone("inbox", at: "/srv/drop", box: "/srv/box") { files in files.count < 10 },
    DropZone("texts", at: "/srv/drop", box: "/srv/box", for: String.self) { texts in !texts.contains("") },
  ]
}
