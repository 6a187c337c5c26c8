import DropEngine
import Support
internal import FoundationEssentials

/// A tree of very many directories.
enum ManyDirectories {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let count = workplace.count(100_000, quick: 1_000)
    let limit = Int(RawPath("/proc/sys/fs/inotify/max_user_watches").virtualLines.first ?? "") ?? 0
    guard limit > count + 1_000 else { throw Skipped(reason: "a user may watch only \(limit) directories") }
    let ours = OurDaemon(name: "ready")
    let empty = try await workplace.with { places in
      try await ours.run(on: places) { daemon in try await daemon.memory(.now) }
    }
    var results = Results()
    try await workplace.with { places in
      // Two levels, like directories of mail, photographs and backups.
      let script = "for a in $(seq 1 \(count / 100)); do mkdir \"$1/$a\"; (cd \"$1/$a\" && mkdir $(seq 1 99)); done"
      _ = try await Command.run(
        ["/bin/bash", "-c", script, "make", places.zone.description], in: places.scratch, limit: .seconds(600))
      for _ in 0..<min(3, workplace.arguments.rounds) {
        try await results.add(workplace, places) { memory in (memory - empty) / Double(count) }
      }
    }
    return results.rows(count)
  }

  private struct Results {
    var seconds: [String: [Double]] = [:]
    var bytes: [Double] = []
    var library = 0.0

    mutating func add(_ workplace: Workplace, _ places: Places, bytesPerDirectory: (Double) -> Double) async throws {
      func watch(_ words: String...) async throws -> Watched {
        let answer = try await Command.run(
          [workplace.program("watches"), places.zone.description] + words, in: places.scratch, limit: .seconds(600))
        return try JSONText.decode(Watched.self, answer.output)
      }
      seconds["C", default: []].append(try await watch().seconds)
      let watched = try await watch("library")
      seconds["library", default: []].append(watched.seconds)
      library = watched.bytes / watched.directories
      let (taken, memory) = try await Scratch.with(in: places.scratch.path) { scratch in
        // Each daemon has a new state directory, so that each start is its first.
        let daemon = try DaemonProcess(
          zones: ["files": "[Zone]\nPath=\(places.zone)\nBox=\(places.box)\n"], in: scratch)
        let taken = try await ContinuousClock().measure { try await daemon.start() }
        let memory = try await daemon.memory(.now)
        await daemon.stop()
        return (taken, memory)
      }
      seconds["ready", default: []].append(taken / .seconds(1))
      bytes.append(bytesPerDirectory(memory))
    }

    func rows(_ count: Int) -> [Row] {
      func row(_ what: String, _ name: String, _ goal: Double?) -> Row {
        Row(
          what: "\(Double(count).short) directories under one zone: \(what), vs C that watches and lists them",
          measured: "\(seconds.median(name).short) vs \(seconds.median("C").short) s",
          value: seconds.ratio(name, to: "C"), goal: goal.map { .atMost($0) })
      }
      return [
        row("time until ready", "ready", 1.5), row("libinotifytools alone", "library", nil),
        Row(
          what: "\(Double(count).short) directories under one zone: memory per directory",
          measured: "in addition to an empty zone and the \(library.short) bytes that libinotifytools uses per watch",
          value: bytes.median - library, goal: .atMost(300, "bytes")),
      ]
    }
  }

  private struct Watched: Decodable {
    var seconds: Double
    var directories: Double
    var bytes: Double
  }
}

/// Very many zones in which nothing happens.
enum ManyZones {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let count = workplace.count(1_000, quick: 50)
    let watched = workplace.arguments.isQuick ? Duration.seconds(2) : .seconds(10)
    return try await workplace.with { places in
      var zones: [String: String] = [:]
      for number in 0..<count {
        let zone = places.zone.appending(RawPath("z\(number)"))
        try zone.makeDirectory()
        zones["z\(number)"] = "[Zone]\nPath=\(zone)\nBox=\(places.box)/b\(number)\n"
      }
      let daemon = try DaemonProcess(zones: zones, in: places.scratch)
      try await daemon.start()
      // Let work that is left over from the start finish first.
      try await Task.sleep(for: .seconds(3))
      let memory = try await daemon.memory(.now)
      let process = try await daemon.processID()
      let before = Self.switches(of: process)
      try await Task.sleep(for: watched)
      let wakeUps = Self.switches(of: process) - before
      await daemon.stop()
      return [
        Row(
          what: "\(Double(count).short) zones, idle: resident memory", measured: "after the start", value: memory / 1e6,
          goal: .atMost(60, "MB")),
        Row(
          what: "\(Double(count).short) zones, idle: wake-ups in \(watched)", measured: "of all threads",
          value: Double(wakeUps), goal: .atMost(0, "wake-ups")),
      ]
    }
  }

  /// How many times the threads of a process have waited for something so far.
  private static func switches(of process: Int32) -> Int {
    Machine.threads(of: process).reduce(0) { sum, thread in
      let line = RawPath("/proc/\(process)/task/\(thread)/status").virtualLines.first {
        $0.hasPrefix("voluntary_ctxt_switches:")
      }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }
}

extension DaemonProcess {
  enum Memory: String {
    case now = "VmRSS:"
    case most = "VmHWM:"
  }

  func processID() async throws -> Int32 { try await control.status().daemon.pid }

  /// Resident memory in bytes, now or at its peak.
  func memory(_ which: Memory) async throws -> Double {
    let lines = RawPath("/proc/\(try await processID())/status").virtualLines
    guard let line = lines.first(where: { $0.hasPrefix(which.rawValue) }),
      let number = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { throw Failure("the daemon has no \(which.rawValue)") }
    return number * 1024
  }
}
