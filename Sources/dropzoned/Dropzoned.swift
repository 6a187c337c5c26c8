internal import DropEngine
internal import DropSystem
internal import DropZones

/// The daemon that reads its zones from zone files, instead of declaring them in Swift.
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

  init(arguments: inout [String], in context: ProcessContext) throws(UsageError) {
    let given = try DaemonArguments.take("--config", from: &arguments)
    config = try DaemonArguments.place(
      given, DefaultPlaces(for: context)?.config, "--config", context, DaemonArguments.action(in: arguments))
    searchPath = context.variables["PATH"]
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

      --config DIR   read zone files from DIR/zones
      --state DIR    keep the ledger in DIR
      --socket PATH  listen for clients on the Unix socket PATH
      --check        check the configuration, report what is wrong with it, and exit
      --version      print the version and exit
      --help         print this help and exit

    The defaults are /etc/dropzone, /var/lib/dropzone and /run/dropzone/control as root or under systemd, and the
    XDG directories as a user. Exits with 64 for a usage error and 78 for a configuration error.
    """
}
