import DropEngine
import Support

/// Other programs that move files out of a directory they watch, set up as their manuals say. None makes any promises.
enum Peers {
  /// The peers that work on this machine; the others are recorded as left out.
  static func here(_ workplace: Workplace) async throws -> (shells: [any Mover], libraries: [any Mover]) {
    let python = workplace.arguments.python.flatMap { RawPath($0).exists ? $0 : nil }
    let isManaged = RawPath("/run/systemd/system").exists && Machine.isRoot
    let shells: [(any Mover)?] = [
      workplace.mover(Machine.path(of: "incrond").map { Incron(program: $0) }, or: "incron is not installed"),
      workplace.mover(
        Machine.path(of: "inotifywait").map { _ in InotifywaitLoop() }, or: "inotify-tools is not installed"),
      workplace.mover(
        isManaged ? PathUnit() : nil, or: "systemd path unit: systemd is not running, or we are not root"),
    ]
    let libraries = ["watchdog", "watchfiles"].map { name in
      workplace.mover(
        python.map { PythonMover(python: $0, name: name) }, or: "\(name): no Python with this package was given")
    }
    return (try await workplace.working(shells), try await workplace.working(libraries))
  }
}

extension Workplace {
  fileprivate func mover(_ mover: (any Mover)?, or reason: String) -> (any Mover)? {
    if mover == nil { leaveOut(reason) }
    return mover
  }

  fileprivate func working(_ movers: [(any Mover)?]) async throws -> [any Mover] {
    var working: [any Mover] = []
    for mover in movers.compactMap({ $0 }) {
      do {
        try await with { places in try await mover.run(on: places) {} }
        working.append(mover)
      } catch {
        leaveOut("\(mover.name) does not move files on this machine: \(error)")
      }
    }
    return working
  }
}

extension Machine {
  static func path(of program: String) -> String? {
    ["/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/"].map { $0 + program }.first { RawPath($0).exists }
  }
}

/// incron(8), which starts a program for each event.
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

/// A shell loop around inotifywait(1).
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

/// A mover that uses a Python library; the programs are in `Peers`.
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
