// A drop target in a terminal. Its border is dashed while the zone is idle. While something arrives, the border is
// solid, coloured and a step larger. Below it are the waiting files and the content of the box. Return empties the box.
//
//     mkdir -p /tmp/highlight/drop && swift run --package-path Examples DropZoneHighlight /tmp/highlight
//
//     cp LICENSE /tmp/highlight/drop
//
// With REDUCE_MOTION=1 it keeps its size; with NO_COLOR=1 it has no colour. If the output is not a terminal, it prints
// one sentence per change, as a screen reader would speak it.

import DropZones
import Foundation

@main struct DropZoneHighlight {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "/tmp/highlight"
    // Otherwise the library's log would overwrite the picture.
    dup2(open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o644), STDERR_FILENO)
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let zone = DropZone("highlight", at: folder + "/drop", box: folder + "/box", tint: .green)
      .onDropSessionUpdated { session in continuation.yield(.sessionChanged(session)) }
    let service = DropZoneService(state: folder + "/state", socket: folder + "/socket") { zone }

    Thread.detachNewThread {
      while readLine() != nil { continuation.yield(.returnPressed) }
    }
    Task { await show(zone, Box(path: folder + "/box"), events) }
    do {
      try await service.run()
    } catch {
      print(error)
      exit(1)
    }
  }

  /// Draws the zone, and draws it again after each event.
  private static func show(_ zone: DropZone, _ box: Box, _ events: AsyncStream<Event>) async {
    var highlight = Highlight(zone: zone, box: box.names)
    var screen = Screen()
    screen.show(highlight)
    for await event in events {
      switch event {
      case .sessionChanged(let session): highlight.session = session
      case .returnPressed: box.empty()
      }
      highlight.box = box.names
      screen.show(highlight)
    }
  }

  private enum Event {
    case sessionChanged(DropSession)
    case returnPressed
  }
}

/// The directory of accepted files.
struct Box {
  let path: String

  /// The names of the files in the box. A name with a leading dot belongs to a file that is not complete yet.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  func empty() {
    for name in names { try? FileManager.default.removeItem(atPath: path + "/" + name) }
  }
}
