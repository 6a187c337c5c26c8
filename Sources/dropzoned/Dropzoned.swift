internal import DropEngine
internal import DropSystem
internal import DropZones

/// The daemon of zone files: what a program of one's own declares in Swift is read from a directory here.
@main struct Dropzoned: DropZoneDaemon {
  let config: String
  private let searchPath: String?

  init() {
    config = "/etc/dropzone"
    searchPath = nil
  }

  init(arguments: inout [String]) throws {
    try self.init(arguments: &arguments, in: .current())
  }

  init(arguments: inout [String], in surroundings: Surroundings) throws(UsageError) {
    let said = try DaemonArguments.take("--config", from: &arguments)
    config = try DaemonArguments.place(
      said, DefaultPlaces(for: surroundings)?.config, "--config", surroundings, DaemonArguments.action(in: arguments))
    searchPath = surroundings.variables["PATH"]
  }

  var zones: some Zones {
    get throws {
      for settings in try load() {
        DropZone(settings)
      }
    }
  }

  private func load() throws(ConfigurationErrors) -> [ZoneSettings] {
    let typer = try? ContentTyper()
    let configuration: ZoneConfiguration
    do throws(ConfigurationErrors) {
      configuration = try ZoneFiles.load(from: config, searchPath: searchPath) { text in
        guard let typer else { return nil }
        do throws(TypePatternError) {
          _ = try typer.pattern(text)
          return nil
        } catch {
          return "\(error)"
        }
      }
    } catch {
      Self.warn(error.warnings)
      throw error
    }
    Self.warn(configuration.warnings)
    return configuration.zones
  }

  private static func warn(_ warnings: [ConfigurationError]) {
    for warning in warnings { StandardStream.error.write("warning: \(warning)") }
  }

  static let help = """
    usage: dropzoned [--config DIR] [--state DIR] [--socket PATH] [--check] [--version] [--help]

      --config DIR   where zones/NAME.zone are read from
      --state DIR    where the ledger is kept
      --socket PATH  where clients connect
      --check        read the configuration, say what is wrong with it, and end
      --version      print the version, and end
      --help         print this, and end

    As root or under systemd the defaults are /etc/dropzone, /var/lib/dropzone and /run/dropzone/control;
    as a user the XDG directories. Ends with 64 for a wrong option and 78 for a wrong configuration.
    """
}
