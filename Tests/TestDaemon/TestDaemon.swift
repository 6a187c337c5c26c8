internal import DropSystem
internal import DropZones
internal import Glibc

/// Daemons for tests, one for each `--mode`, in the directory `--root`. They show that what a program declares in Swift
/// takes effect, in a process that may also die.
@main struct TestDaemon: DropZoneDaemon {
  private let mode: String
  private let root: String

  init() {
    mode = ""
    root = ""
  }

  init(arguments: inout [String]) throws {
    mode = try DaemonArguments.take("--mode", from: &arguments) ?? ""
    root = try DaemonArguments.take("--root", from: &arguments) ?? ""
  }

  private var zone: DropZone {
    DropZone("zone", at: root + "/drop", box: root + "/box").staging(quiet: .milliseconds(100))
  }

  var zones: some Zones {
    switch mode {
    case "inbox": Inbox(root: root)
    case "slow": zone.dropConfiguration { _ in Self.sleep(seconds: 1) }
    case "stuck-configuration":
      zone.dropConfiguration { session in
        session.location == "stuck" ? Self.sleep(seconds: 3600) : .move
      }
      DropZone("other", at: root + "/other", box: root + "/other-box").staging(quiet: .milliseconds(100))
    case "answers": zone.dropConfiguration { Answers.configuration($0) }
    case "plain": zone
    case "cheap": zone.dropConfiguration { $0.suggestedOperations.contains(.move) ? .move : .forbidden("no") }
    case "verdicts":
      zone.dropDestination(forEach: DroppedFile.self) { file, session in try Answers.verdict(on: file, in: session) }
        .handler(attempts: 2)
    case "together":
      zone.dropDestination(for: String.self) { texts, session in
        say("together \(texts.sorted().joined(separator: ",")) of \(session.itemsCount)")
        return !texts.contains("no")
      }
    case "trap":
      zone.dropDestination(for: DroppedFile.self) { files, _ in
        for file in files { say("asked \(file.location) attempt \(file.attempt)") }
        if files.contains(where: { $0.location == "trap" }) {
          // The other zone's files are asked about in the meantime.
          usleep(300_000)
          fatalError("on purpose")
        }
        return true
      }
      DropZone("other", at: root + "/other", box: root + "/other-box").staging(quiet: .milliseconds(100))
        .dropDestination(for: DroppedFile.self) { _, _ in
          usleep(600_000)
          return true
        }
    case "stuck":
      zone.dropDestination(forEach: DroppedFile.self) { file, _ in
        if file.location == "stuck" { _ = Self.sleep(seconds: 3) }
        return .accepted
      }
      .handler(timeout: .milliseconds(500), attempts: 1)
    case "typed":
      zone.dropDestination(for: Card.self) { cards, _ in
        say("cards \(cards.map(\.title).sorted())")
        return true
      }
      .dropDestination(forEach: Note.self) { note, _ in
        say("note \(note.text)")
        return .accepted(in: "notes")
      }
    default:
      zone.onDropSessionUpdated { session in
        say("session \(session.id) \(session.phase) \(session.isTargeted) \(session.location)")
      }
      .dropDestination(forEach: DroppedFile.self) { file, _ in
        file.location == "bad" ? .rejected("bad") : .accepted
      } isTargeted: {
        say("targeted \($0)")
      }
    }
  }

  /// Blocks its thread, as a user's function might.
  static func sleep(seconds: UInt32) -> DropConfiguration {
    Glibc.sleep(seconds)
    return .move
  }
}

/// Prints a line for the test to read.
func say(_ line: String) {
  StandardStream.output.write(line)
}
