internal import DropEngine
internal import DropSystem
internal import DropZones
internal import Glibc

@main struct Main {
  /// sysexits.h: EX_USAGE, EX_CONFIG.
  private static let usageError: Int32 = 64
  private static let configurationError: Int32 = 78

  static func main() async {
    exit(await run(CommandLine.arguments.dropFirst(), in: Surroundings.current()))
  }

  static func run(_ words: some Sequence<String>, in surroundings: Surroundings) async -> Int32 {
    let arguments: Arguments
    do {
      arguments = try Arguments(words, in: surroundings)
    } catch {
      StandardStream.error.write("dropzoned: \(error)")
      return usageError
    }
    switch arguments.action {
    case .help: StandardStream.output.write(Arguments.usage)
    case .version: StandardStream.output.write("dropzoned \(ZoneServer.version)")
    case .check: return check(arguments, in: surroundings)
    case .run: return await serve(arguments, in: surroundings)
    }
    return 0
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

  private static func serve(_ arguments: Arguments, in surroundings: Surroundings) async -> Int32 {
    let requests = Requests.stream()
    Machine.raiseFileLimit()
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
