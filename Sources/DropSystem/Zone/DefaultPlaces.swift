package import DropEngine

/// Where configuration, state and socket are when nobody says otherwise.
///
/// What systemd made for the unit comes first (STATE_DIRECTORY and its like, systemd.exec(5)); then the system's
/// own places for root and for a service of the system; then the user's, as the XDG base directories have them.
package struct DefaultPlaces: Hashable, Sendable {
  package var config: String
  package var state: String
  package var socket: String
  /// The socket's directory where the session has none to offer: to be made, or proved to be ours, before use.
  package var privateDirectory: String?

  /// Nil when a user has no home directory, and so no places.
  package init?(for surroundings: Surroundings) {
    let given = surroundings.variables
    // A unit may have several of a kind; the first is the one that is named first in it.
    func first(_ name: String) -> String? {
      given[name]?.split(separator: ":").first.map(String.init).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let unitConfig = first("CONFIGURATION_DIRECTORY")
    let unitState = first("STATE_DIRECTORY")
    let unitRuntime = first("RUNTIME_DIRECTORY")
    if surroundings.user == 0 || surroundings.isSystemService {
      config = unitConfig ?? "/etc/dropzone"
      state = unitState ?? "/var/lib/dropzone"
      socket = (unitRuntime ?? "/run/dropzone") + "/control"
      return
    }
    // The specification: a value that is no absolute path is to be ignored.
    func base(_ name: String, _ belowHome: String) -> String? {
      if let value = given[name], value.hasPrefix("/") { return value.withoutEndingSlashes }
      let home = given["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? surroundings.home
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
      let directory = "\(temporary)/dropzone-\(surroundings.user)"
      socket = directory + "/control"
      privateDirectory = directory
    }
  }
}

extension Surroundings {
  /// Whether the system's service manager, and not a user's, started this very process.
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
  /// Where a daemon of this process's user answers, when nobody says.
  package static var socket: RawPath {
    RawPath(DefaultPlaces(for: .current())?.socket ?? "/run/dropzone/control")
  }
}
