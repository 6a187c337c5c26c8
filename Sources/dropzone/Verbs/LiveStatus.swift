import DropControl
import DropEngine
import DropSystem

/// `status --watch`: runs until it is interrupted or the daemon stops.
struct LiveStatus {
  let zones: [String]
  let isJSON: Bool

  func run(_ client: ControlClient, _ daemon: Daemon) throws(Failure) -> ExitCode {
    try daemon.translatingErrors(about: zones) { () throws(ControlClientError) in
      try client.monitor(zones)
      if isJSON { return try printLines(client) }
      if Output.isTerminal { return try draw(client) }
      return try printCards(client)
    }
  }

  private func printLines(_ client: ControlClient) throws(ControlClientError) -> ExitCode {
    while let reply = try client.next(MonitorReply.self) {
      if let zone = reply.zone { Output.json(ZoneChange(n: reply.n, at: reply.at, zone: zone)) } else { complain() }
    }
    return .done
  }

  private func printCards(_ client: ControlClient) throws(ControlClientError) -> ExitCode {
    var meter = RateMeter()
    while let reply = try client.next(MonitorReply.self) {
      guard let zone = reply.zone else {
        complain()
        continue
      }
      meter.record(zone, at: .now)
      let card = ZoneCard(
        zone: zone, width: min(Output.width ?? 80, 100), style: .plain, rates: meter.rates(at: .now))
      Output.text(Amounts.local(reply.at) + "\n" + card.lines.joined(separator: "\n") + "\n")
    }
    return .done
  }

  private func complain() {
    Output.complain("reading too slowly; some changes were skipped")
  }

  /// The reason why drawing ended.
  private enum End {
    case signal(CaughtSignals.Signal)
    case failure(ControlClientError)
  }

  private func draw(_ client: ControlClient) throws(ControlClientError) -> ExitCode {
    guard let signals = try? CaughtSignals([.interrupt, .terminate, .hangUp, .stop, .windowChange]) else {
      return try printCards(client)
    }
    var picture = Picture()
    while true {
      // The screen is restored before anything else happens.
      let end = show(client, signals, &picture)
      switch end {
      case .signal(.stop): CaughtSignals.stopSelf()
      case .signal(.interrupt): return .done
      case .signal(let signal): CaughtSignals.die(of: signal)
      case .failure(let failure): throw failure
      }
    }
  }

  private func show(_ client: ControlClient, _ signals: CaughtSignals, _ picture: inout Picture) -> End {
    let screen = LiveScreen()
    do throws(ControlClientError) {
      while true {
        // Draw once for all replies that have arrived.
        while let reply = try client.next(MonitorReply.self, atMost: .zero) { picture.update(with: reply) }
        if !picture.isEmpty {
          let size = Terminal.size(of: Terminal.standardOutput) ?? (80, 24)
          screen.show(picture.lines(columns: size.columns, rows: size.rows), rows: size.rows)
        }
        if let signal = Self.wait(client, signals, growing: picture.isGrowing) { return .signal(signal) }
      }
    } catch {
      return .failure(error)
    }
  }

  /// Returns nil when a reply arrives or a second has passed in which rates fall, or returns a signal that ends drawing.
  private static func wait(
    _ client: ControlClient, _ signals: CaughtSignals, growing: Bool
  ) -> CaughtSignals.Signal? {
    var set = PollSet()
    set.add(client.number, .input)
    set.add(signals.number, .input)
    _ = try? set.wait(atMost: growing ? .seconds(1) : nil)
    while let signal = signals.next() {
      if signal != .windowChange { return signal }
    }
    return nil
  }
}

/// The content of the screen.
struct Picture {
  private var zones: [ZoneStatus] = []
  private var meter = RateMeter()

  mutating func update(with reply: MonitorReply, at now: ContinuousClock.Instant = .now) {
    guard let zone = reply.zone else { return }
    meter.record(zone, at: now)
    if let index = zones.firstIndex(where: { $0.name == zone.name }) { zones[index] = zone } else { zones.append(zone) }
  }

  var isEmpty: Bool { zones.isEmpty }

  /// Whether rates are shown, which fall when nothing arrives.
  var isGrowing: Bool { !meter.rates(at: .now).isEmpty }

  /// The lines to draw, with as many staged payloads of each zone as fit.
  func lines(columns: Int, rows: Int, style: Style = Output.style, at now: ContinuousClock.Instant = .now) -> [String] {
    let rates = meter.rates(at: now)
    var limit = rows
    while true {
      let lines = StatusVerb.lines(zones, width: columns, style: style, rates: rates, limit: limit)
      if lines.count <= rows || limit == 0 { return lines }
      limit = limit > 8 ? limit / 2 : limit - 1
    }
  }
}
