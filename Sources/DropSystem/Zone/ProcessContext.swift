internal import CLinux
internal import Glibc

/// The variables, user and directories that a process was started with, as a value, so that their effects can be tested.
package struct ProcessContext: Hashable, Sendable {
  package var variables: [String: String]
  package var user: UInt32
  package var processID: Int32
  package var workingDirectory: String
  /// The home directory in the user database.
  package var home: String?

  package init(
    variables: [String: String], user: UInt32, processID: Int32 = 1, workingDirectory: String = "/",
    home: String? = nil
  ) {
    self.variables = variables
    self.user = user
    self.processID = processID
    self.workingDirectory = workingDirectory
    self.home = home
  }

  /// Reads those of this process. Call it before anything changes the environment.
  package static func current() -> ProcessContext {
    var variables: [String: String] = [:]
    for name in names {
      if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
    }
    let directory = unsafe getcwd(nil, 0)
    defer { unsafe free(directory) }
    return ProcessContext(
      variables: variables, user: geteuid(), processID: getpid(),
      workingDirectory: unsafe directory.map { unsafe String(cString: $0) } ?? "/",
      home: UserDatabase.home(of: geteuid()))
  }

  /// The variables that are read.
  private static let names = [
    "CONFIGURATION_DIRECTORY", "STATE_DIRECTORY", "RUNTIME_DIRECTORY", "SYSTEMD_EXEC_PID", "MANAGERPID", "HOME", "PATH",
    "TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
  ]
}
