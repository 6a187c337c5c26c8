import DropEngine
import Support

/// A burst that is too long for the kernel's queue, compared with the same burst and a longer queue.
enum Overflow {
  private static let limit = RawPath("/proc/sys/fs/inotify/max_queued_events")

  static func measure(_ workplace: Workplace) async throws -> [Row] {
    guard (try? limit.write(limit.lines().first ?? "16384")) != nil else {
      throw Skipped(reason: "the length of the kernel's queue cannot be set here")
    }
    let count = workplace.count(300_000, quick: 20_000)
    let ours = OurDaemon(name: "Durable=no", keys: "[Delivery]\nDurable=no")
    var seconds: [String: [Double]] = [:]
    var overflows = 0
    for round in 0..<min(3, workplace.arguments.rounds) {
      // With the usual length, 16,384, the daemon keeps up on this machine.
      let lengths = [("short", workplace.count(1_024, quick: 256)), ("long", 4 * count)]
      for (name, length) in round.isMultiple(of: 2) ? lengths : lengths.reversed() {
        seconds[name, default: []].append(
          try await workplace.with { places in
            try await ours.run(on: places, starting: false) { daemon in
              // The kernel uses the length that is set when the daemon opens its queue.
              try await withQueue(of: length) { try await daemon.start() }
              try await places.probe()
              let taken = try await places.burst(count)
              if name == "short" { overflows += try await daemon.control.status().daemon.overflows }
              return taken
            }
          })
      }
    }
    return [
      Row(
        what: "\(Double(count).short) files in one burst, through overflows, vs a long queue",
        measured: "\(seconds.median("short").short) vs \(seconds.median("long").short) s, \(overflows) overflows",
        value: seconds.ratio("short", to: "long"), goal: .atMost(1.2))
    ]
  }

  private static func withQueue(of length: Int, _ body: () async throws -> Void) async throws {
    let before = limit.lines().first ?? "16384"
    try limit.write(String(length))
    do { try await body() } catch {
      try limit.write(before)
      throw error
    }
    try limit.write(before)
  }
}

/// Files that are waiting when the daemon starts, compared with files that are sent while it runs.
enum WaitingFiles {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let count = workplace.count(200_000, quick: 2_000)
    // With Quiet=0s, the daemon waits for nothing, so only its work is measured.
    let ours = OurDaemon(name: "Durable=no", keys: "[Staging]\nQuiet=0s\n[Delivery]\nDurable=no")
    var rates: [String: [Double]] = [:]
    var memory: [Double] = []
    for _ in 0..<min(3, workplace.arguments.rounds) {
      rates["waiting", default: []].append(
        try await workplace.with { places in
          try await places.make(count, in: places.zone)
          return try await ours.run(on: places, starting: false) { daemon in
            let awaited = try await places.await(count, limit: 900)
            try await daemon.start()
            let seconds = try await awaited.seconds()
            memory.append(try await daemon.memory(.most))
            return Double(count) / seconds
          }
        })
      rates["live", default: []].append(
        try await workplace.with { places in
          try await ours.run(on: places) { Double(count) / (try await places.burst(count)) }
        })
    }
    return [
      Row(
        what: "\(Double(count).short) files waiting at start, vs live",
        measured: "\(rates.median("waiting").short) vs \(rates.median("live").short) files/s",
        value: rates.ratio("waiting", to: "live"), goal: .atLeast(0.8)),
      Row(
        what: "\(Double(count).short) files waiting at start, resident memory",
        measured: "the maximum while it takes them",
        value: memory.median / 1e6, goal: .atMost(150, "MB")),
    ]
  }
}

/// How the time per file changes with the number of files.
enum Growth {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let counts = workplace.arguments.isQuick ? [100, 1_000] : [1_000, 10_000, 100_000, 1_000_000]
    let ours = OurDaemon(name: "Durable=no", keys: "[Delivery]\nDurable=no")
    var costs: [(count: Int, seconds: Double)] = []
    for count in counts {
      var each: [Double] = []
      for _ in 0..<(count > 100_000 ? 1 : workplace.arguments.rounds) {
        each.append(
          try await workplace.with { places in
            try await ours.run(on: places) { try await places.burst(count, limit: 3_000) / Double(count) }
          })
      }
      costs.append((count, each.median))
    }
    let (least, most) = (costs.map(\.seconds).min() ?? 1, costs.map(\.seconds).max() ?? 1)
    let said = costs.map { "\(Double($0.count).short): \(($0.seconds * 1e6).short) µs" }.joined(separator: ", ")
    return [Row(what: "time per file as their number grows", measured: said, value: most / least, goal: .atMost(1.3))]
  }
}
