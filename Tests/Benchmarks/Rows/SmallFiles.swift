import Support

/// Small files per second, renamed into the zone as fast as possible.
enum SmallFiles {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let raw = RawLoop(.plain, workplace)
    let rawDurable = RawLoop(.durable, workplace)
    let rawTyped = RawLoop(.typed, workplace)
    let promised = RawLoop(.promised, workplace)
    let promisedDurable = RawLoop(.promisedDurable, workplace)
    let durable = OurDaemon(name: "Durable=yes")
    let quick = OurDaemon(name: "Durable=no", keys: "[Delivery]\nDurable=no")
    let movers: [any Mover] = [raw, quick, durable, rawDurable, rawTyped, promised, promisedDurable]
    let rates = try await workplace.rounds(movers) { mover, places in
      let count =
        mover.name == rawDurable.name ? workplace.count(5_000, quick: 200) : workplace.count(20_000, quick: 1_000)
      return try await mover.run(on: places) { Double(count) / (try await places.burst(count)) }
    }
    func row(_ ours: any Mover, _ other: RawLoop, _ goal: Double?) -> Row {
      Row(
        what: "small files per second, \(ours.name), vs \(other.name)",
        measured: "\(rates.median(ours.name).short) vs \(rates.median(other.name).short) files/s",
        value: rates.ratio(ours.name, to: other.name), goal: goal.map { .atLeast($0) })
    }
    return [
      row(durable, rawDurable, 4), row(durable, raw, 0.4), row(quick, raw, 0.6),
      // How much of the limit remains with the libraries that identify types, and with the promises.
      row(rawTyped, raw, nil), row(promised, raw, nil), row(quick, promised, nil),
      row(promisedDurable, raw, nil), row(promisedDurable, rawDurable, nil), row(durable, promisedDurable, nil),
    ]
  }
}

/// One file at a time, from the rename into the zone until it is visible in the box.
enum Latency {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let raw = RawLoop(.durable, workplace)
    let promised = RawLoop(.promisedDurable, workplace)
    let ours = OurDaemon(name: "Durable=yes")
    let count = workplace.count(1_000, quick: 50)
    let times = try await workplace.rounds([raw, promised, ours]) { mover, places in
      try await mover.run(on: places) { try await places.single(count) }
    }
    func row(_ mover: any Mover, _ part: KeyPath<Places.Delay, Double>, _ name: String, _ goal: Double?) -> Row {
      let figures = times.mapValues { $0.map { $0[keyPath: part] } }
      return Row(
        what: "rename into the zone until visible in the box, \(mover.name), \(name), vs raw-durable",
        measured: "\(figures.median(mover.name).milliseconds) vs \(figures.median(raw.name).milliseconds)",
        value: figures.ratio(mover.name, to: raw.name), goal: goal.map { .atMost($0) })
    }
    return [
      row(ours, \.p50, "p50", 2.5), row(ours, \.p99, "p99", 4),
      row(promised, \.p50, "p50", nil), row(promised, \.p99, "p99", nil),
    ]
  }
}
