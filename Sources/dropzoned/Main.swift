internal import DropEngine
internal import DropFlow
internal import DropSystem
internal import DropZones
internal import Glibc

@main struct Main {
  /// sysexits.h: EX_USAGE, EX_CONFIG.
  private static let usageError: Int32 = 64
  private static let configurationError: Int32 = 78

  static func main() {
    switch outcome(of: CommandLine.arguments.dropFirst(), in: Surroundings.current()) {
    case .exit(let code): exit(code)
    case .run(let arguments, let surroundings): run(arguments, in: surroundings)
    }
  }

  enum Outcome {
    case exit(Int32)
    case run(Arguments, Surroundings)
  }

  /// What the command line comes to.
  static func outcome(of words: some Sequence<String>, in surroundings: Surroundings) -> Outcome {
    let arguments: Arguments
    do {
      arguments = try Arguments(words, in: surroundings)
    } catch {
      StandardStream.error.write("dropzoned: \(error)")
      return .exit(usageError)
    }
    switch arguments.action {
    case .help: StandardStream.output.write(Arguments.usage)
    case .version: StandardStream.output.write("dropzoned \(ZoneServer.version)")
    case .check: return .exit(check(arguments, in: surroundings))
    case .run: return .run(arguments, surroundings)
    }
    return .exit(0)
  }

  /// Serves in tasks and keeps this thread for the signals: libdispatch would let them end the process.
  private static func run(_ arguments: Arguments, in surroundings: Surroundings) -> Never {
    DaemonSignals.block()
    Machine.raiseFileLimit()
    let (requests, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    Task {
      let code = await serve(arguments, requests, in: surroundings)
      Log.shared.flush(within: .seconds(1))
      exit(code)
    }
    while true { continuation.yield(DaemonSignals.next() == .hangUp ? .reload : .stop) }
  }

  private static func check(_ arguments: Arguments, in surroundings: Surroundings) -> Int32 {
    do throws(ConfigurationErrors) {
      let zones = try load(arguments, surroundings)
      StandardStream.output.write("\(zones.count) zone\(zones.count == 1 ? "" : "s"): configuration is fine")
      for line in MachineCheck.lines { StandardStream.output.write(line) }
      for zone in zones {
        for finding in ZoneCheck.findings(of: zone) { StandardStream.output.write("\(zone.name): \(finding)") }
      }
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
