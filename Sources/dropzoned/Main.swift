internal import DropEngine
internal import DropSystem
internal import DropZones
internal import Glibc

@main struct Main {
  /// sysexits.h: EX_USAGE, EX_CONFIG.
  private static let usageError: Int32 = 64
  private static let configurationError: Int32 = 78

  static func main() {
    let surroundings = Surroundings.current()
    let arguments: Arguments
    do {
      arguments = try Arguments(CommandLine.arguments.dropFirst(), in: surroundings)
    } catch {
      StandardStream.error.write("dropzoned: \(error)")
      exit(usageError)
    }
    switch arguments.action {
    case .help: StandardStream.output.write(Arguments.usage)
    case .version: StandardStream.output.write("dropzoned \(ZoneServer.version)")
    case .check: exit(check(arguments, in: surroundings))
    case .run: run(arguments, in: surroundings)
    }
  }

  /// Serves in tasks and keeps this thread for the signals: libdispatch would let them end the process.
  private static func run(_ arguments: Arguments, in surroundings: Surroundings) -> Never {
    DaemonSignals.block()
    Machine.raiseFileLimit()
    let (requests, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    Task { exit(await serve(arguments, requests, in: surroundings)) }
    while true { continuation.yield(DaemonSignals.next() == .hangUp ? .reload : .stop) }
  }

  private static func check(_ arguments: Arguments, in surroundings: Surroundings) -> Int32 {
    do throws(ConfigurationErrors) {
      let count = try load(arguments, surroundings).count
      StandardStream.output.write("\(count) zone\(count == 1 ? "" : "s"): configuration is fine")
      return 0
    } catch {
      say(error)
      return configurationError
    }
  }

  private static func serve(
    _ arguments: Arguments, _ requests: AsyncStream<ZoneServer.Request>, in surroundings: Surroundings
  ) async -> Int32 {
    do throws(ConfigurationErrors) {
      _ = try load(arguments, surroundings)
    } catch {
      say(error)
      return configurationError
    }
    do {
      if let directory = arguments.privateDirectory { try PrivateDirectory.prepare(RawPath(directory)) }
      let server = ZoneServer(state: arguments.state, socket: arguments.socket) {
        try load(arguments, surroundings).map { ZoneDeclaration(settings: $0) }
      }
      try await server.run(requests)
      return 0
    } catch {
      StandardStream.error.write("dropzoned: \(error)")
      return 1
    }
  }

  private static func load(
    _ arguments: Arguments, _ surroundings: Surroundings
  ) throws(ConfigurationErrors) -> [ZoneSettings] {
    let typer = try? ContentTyper()
    let configuration = try ZoneFiles.load(from: arguments.config, searchPath: surroundings.variables["PATH"]) { text in
      guard let typer else { return nil }
      do throws(TypePatternError) {
        _ = try typer.pattern(text)
        return nil
      } catch {
        return "\(error)"
      }
    }
    for warning in configuration.warnings { StandardStream.error.write("warning: \(warning)") }
    return configuration.zones
  }

  private static func say(_ errors: ConfigurationErrors) {
    for warning in errors.warnings { StandardStream.error.write("warning: \(warning)") }
    for wrong in errors.errors { StandardStream.error.write("\(wrong)") }
  }
}
