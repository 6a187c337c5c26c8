internal import DropEngine
internal import DropSystem
internal import Glibc

@main struct Main {
  static func main() {
    exit(run(CommandLine.arguments.dropFirst(), in: Surroundings.current()))
  }

  /// sysexits.h: EX_USAGE, EX_CONFIG.
  private static let usageError: Int32 = 64
  private static let configurationError: Int32 = 78

  static func run(_ words: some Sequence<String>, in surroundings: Surroundings) -> Int32 {
    let arguments: Arguments
    do {
      arguments = try Arguments(words, in: surroundings)
    } catch {
      StandardStream.error.write("dropzoned: \(error)")
      return usageError
    }
    switch arguments.action {
    case .help: StandardStream.output.write(Arguments.usage)
    case .version: StandardStream.output.write("dropzoned 0.1.0")
    case .check, .run: return check(arguments, in: surroundings)
    }
    return 0
  }

  private static func check(_ arguments: Arguments, in surroundings: Surroundings) -> Int32 {
    do {
      let configuration = try ZoneFiles.load(
        from: arguments.config, searchPath: surroundings.variables["PATH"], validateType: { _ in nil })
      for warning in configuration.warnings { StandardStream.error.write("warning: \(warning)") }
      let count = configuration.zones.count
      StandardStream.output.write("\(count) zone\(count == 1 ? "" : "s"): configuration is fine")
      return 0
    } catch {
      for warning in error.warnings { StandardStream.error.write("warning: \(warning)") }
      for wrong in error.errors { StandardStream.error.write("\(wrong)") }
      return configurationError
    }
  }
}
