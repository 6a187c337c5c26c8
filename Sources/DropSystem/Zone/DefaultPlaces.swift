package import DropEngine

/// The default places of the configuration, the state and the socket.
///
/// Directories that systemd created for the unit come first: STATE_DIRECTORY and similar variables, see
/// systemd.exec(5). Otherwise, root and system services use the system's directories, and users use the XDG base
/// directories.
package struct DefaultPlaces: Hashable, Sendable {
  package var config: String
  package var state: String
  package var socket: String
  /// The directory for the socket if the session has no runtime directory. Create or check it before use.
  package var privateDirectory: String?

  /// Fails if the user has no home directory, and so no default places.
  package init?(for context: ProcessContext) {
    let given = context.variables
    // A unit can have several directories of a kind, and lists them in the order in which they are named in it.
    func first(_ name: String) -> String? {
      given[name]?.split(separator: ":").first.map(String.init).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let unitConfig = first("CONFIGURATION_DIRECTORY")
    let unitState = first("STATE_DIRECTORY")
    let unitRuntime = first("RUNTIME_DIRECTORY")
    if context.user == 0 || context.isSystemService {
      config = unitConfig ?? "/etc/dropzone"
      state = unitState ?? "/var/lib/dropzone"
      socket = (unitRuntime ?? "/run/dropzone") + "/control"
      return
    }
    // The XDG specification says that a relative path must be ignored.
    func base(_ name: String, _ belowHome: String) -> String? {
      if let value = given[name], value.hasPrefix("/") { return value.withoutEndingSlashes }
      let home = given["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? context.home
      return home.map { $0.withoutEndingSlashes + belowHome }
    }
    guard let config = unitConfig ?? base("XDG_CONFIG_HOME", "/.config").map({ $0 + "/dropzone" }),
      let state = unitState ?? base("XDG_STATE_HOME", "/.local/state").map({ $0 + "/dropzone" })
    else { return nil }
    self.config = config
    self.state = state
    if let unitRuntime {
      socket = unitRuntime + "/control"
    } else if let runtime = given["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      socket = runtime.withoutEndingSlashes + "/dropzone/control"
    } else {
      let temporary = given["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0.withoutEndingSlashes : nil } ?? "/tmp"
      let directory = "\(temporary)/dropzone-\(context.user)"
      socket = directory + "/control"
      privateDirectory = directory
    }
  }
}

extension ProcessContext {
  /// Whether the system's service manager, and not a user's, started this process itself.
  var isSystemService: Bool {
    variables["SYSTEMD_EXEC_PID"] == String(processID) && variables["MANAGERPID"] == nil
  }
}

extension String {
  fileprivate var withoutEndingSlashes: String {
    var text = self[...]
    while text.utf8.count > 1, text.last == "/" { text.removeLast() }
    return text == "/" ? "" : String(text)
  }
}

extension DefaultPlaces {
  /// The default socket of this user's daemon.
  package static var socket: RawPath {
    RawPath(DefaultPlaces(for: .current())?.socket ?? "/run/dropzone/control")
  }
}
