import DropEngine
import Support

/// What else moves files out of a directory that it watches, each set up as its manual says. None of them promises anything.
enum Peers {
  /// Those that can be had here, and why the others cannot.
  static func here(_ arguments: Arguments) async -> (shells: [any Mover], libraries: [any Mover], missing: [String]) {
    var (shells, libraries, missing): ([any Mover], [any Mover], [String]) = ([], [], [])
    if let incron = Machine.path(of: "incrond") {
      shells.append(Incron(program: incron))
    } else {
      missing.append("incron is not installed")
    }
    if Machine.path(of: "inotifywait") != nil {
      shells.append(InotifywaitLoop())
    } else {
      missing.append("inotify-tools is not installed")
    }
    if RawPath("/run/systemd/system").exists, Machine.isRoot {
      shells.append(PathUnit())
    } else {
      missing.append("a systemd path unit: no systemd runs here, or not as root")
    }
    for name in ["watchdog", "watchfiles"] {
      if let python = arguments.python, RawPath(python).exists {
        libraries.append(PythonMover(python: python, name: name))
      } else {
        missing.append("\(name): no Python was given that has it")
      }
    }
    return (shells, libraries, missing)
  }
}

extension Machine {
  static func path(of program: String) -> String? {
    ["/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/"].map { $0 + program }.first { RawPath($0).exists }
  }
}

/// incron(8): starts a program for each event.
struct Incron: Mover {
  let program: String
  let name = "incron"

  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result {
    let home = places.scratch.path.appending("incron")
    for directory in [home, home.appending("system"), home.appending("users")] { try directory.makeDirectory() }
    try home.appending("incron.conf").write(
      "system_table_dir = \(home)/system\nuser_table_dir = \(home)/users\nlockfile_dir = \(home)\npidfile_dir = \(home)\n"
    )
    try home.appending("system/files").write(
      "\(places.zone) IN_CLOSE_WRITE,IN_MOVED_TO /bin/mv $@/$# \(places.box)\n")
    return try await run([program, "-n", "-f", "\(home)/incron.conf"], on: places, body)
  }
}

/// A shell loop on inotifywait(1).
struct InotifywaitLoop: Mover {
  let name = "inotifywait loop"

  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result {
    let script = """
      inotifywait -q -m -e close_write -e moved_to --format %f "$1" |
        while IFS= read -r name; do mv -n -- "$1/$name" "$2"; done
      """
    return try await run(
      ["/bin/bash", "-c", script, "loop", places.zone.description, places.box.description], on: places, body)
  }
}

/// A mover on one of Python's libraries; the programs lie beside this one.
struct PythonMover: Mover {
  let python: String
  let name: String

  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result {
    try await run(
      [python, "\(Workplace.sources)/Peers/\(name).py", places.zone.description, places.box.description], on: places,
      body)
  }
}

/// A systemd path unit that starts a service when the directory is not empty.
struct PathUnit: Mover {
  let name = "systemd path unit"

  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result {
    let unit = "dropzone-benchmark"
    let directory = RawPath("/run/systemd/system")
    try directory.appending(RawPath(unit + ".path")).write(
      "[Unit]\nStartLimitIntervalSec=0\n[Path]\nDirectoryNotEmpty=\(places.zone)\n")
    try directory.appending(RawPath(unit + ".service")).write(
      """
      [Unit]
      StartLimitIntervalSec=0
      [Service]
      Type=oneshot
      ExecStart=/bin/sh -c 'find "$1" -mindepth 1 -maxdepth 1 -exec mv -n -t "$2" -- {} +' mover \(places.zone) \(places.box)

      """)
    func systemctl(_ words: String...) async throws {
      _ = try await Command.run(["/usr/bin/systemctl"] + words, in: places.scratch)
    }
    try await systemctl("daemon-reload")
    try await systemctl("start", unit + ".path")
    let result: Swift.Result<Result, any Error>
    do {
      try await places.probe()
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    try await systemctl("stop", unit + ".path", unit + ".service")
    _ = try await Command.run(
      ["/bin/rm", "-f", "\(directory)/\(unit).path", "\(directory)/\(unit).service"], in: places.scratch)
    try await systemctl("daemon-reload")
    return try result.get()
  }
}
