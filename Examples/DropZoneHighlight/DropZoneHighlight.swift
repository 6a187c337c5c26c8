// A drop target in a terminal: dashed while it is idle, and solid, in its colour and a step larger while something
// arrives. Below it stands what waits, and what is in the box. Return starts over, with an empty box.
//
//     mkdir -p /tmp/highlight/drop && swift run --package-path Examples DropZoneHighlight /tmp/highlight
//
//     cp LICENSE /tmp/highlight/drop
//
// With REDUCE_MOTION=1 it keeps its size, with NO_COLOR=1 it has no colour. Where the output is no terminal it is one
// sentence a change, as it is read to people who do not see it.

import DropZones
import Foundation

@main struct DropZoneHighlight {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "/tmp/highlight"
    // The log of the library would go over the picture.
    dup2(open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o644), STDERR_FILENO)
    let (news, tell) = AsyncStream.makeStream(of: News.self)
    let zone = DropZone("highlight", at: folder + "/drop", box: folder + "/box", tint: .green)
      .onDropSessionUpdated { session in tell.yield(.session(session)) }
    let service = DropZoneService(state: folder + "/state", socket: folder + "/socket") { zone }

    Thread.detachNewThread {
      while readLine() != nil { tell.yield(.startOver) }
    }
    Task { await show(zone, Box(path: folder + "/box"), news) }
    do {
      try await service.run()
    } catch {
      print(error)
      exit(1)
    }
  }

  /// Draws the zone as it is, and again after each piece of news.
  private static func show(_ zone: DropZone, _ box: Box, _ news: AsyncStream<News>) async {
    var highlight = Highlight(zone: zone, box: box.names)
    var screen = Screen()
    screen.show(highlight)
    for await piece in news {
      switch piece {
      case .session(let session): highlight.session = session
      case .startOver: box.empty()
      }
      highlight.box = box.names
      screen.show(highlight)
    }
  }

  private enum News {
    case session(DropSession)
    case startOver
  }
}

/// What was taken.
struct Box {
  let path: String

  /// What it holds; a leading dot is that of a file that is not whole yet.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  func empty() {
    for name in names { try? FileManager.default.removeItem(atPath: path + "/" + name) }
  }
}
