import Support

/// A handler in `Mode=stream` that accepts at once, compared with no handler.
enum Streaming {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let delivery = "[Delivery]\nDurable=no"
    let alone = OurDaemon(name: "no handler", keys: delivery)
    let handler = "\(Workplace.sources)/Peers/accept.py"
    let asked = OurDaemon(
      name: "Mode=stream", keys: "[Handler]\nOnDrop=/usr/bin/python3 \(handler)\nMode=stream\n\(delivery)")
    let count = workplace.count(20_000, quick: 500)
    let rates = try await workplace.rounds([alone, asked]) { mover, places in
      try await mover.run(on: places) { Double(count) / (try await places.burst(count)) }
    }
    return [
      Row(
        what: "small files per second, Mode=stream that accepts at once, vs no handler",
        measured: "\(rates.median(asked.name).short) vs \(rates.median(alone.name).short) files/s",
        value: rates.ratio(asked.name, to: alone.name), goal: .atLeast(0.6))
    ]
  }
}
