import DropControl
import DropEngine
import DropSystem

/// `status --watch`: goes on until it is interrupted or the daemon ends.
struct Watching {
  let zones: [String]
  let isJSON: Bool

  func run(_ client: ControlClient, _ daemon: Daemon) throws(Failure) -> ExitCode {
    try daemon.asking(of: zones) { () throws(ControlClientError) in
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
      meter.note(zone, at: .now)
      let card = ZoneCard(
        zone: zone, width: min(Output.width ?? 80, 100), style: .plain, rates: meter.rates(at: .now))
      Output.text(Amounts.local(reply.at) + "\n" + card.lines.joined(separator: "\n") + "\n")
    }
    return .done
  }

  private func complain() {
    Output.complain("too slow: some changes were not seen")
  }

  /// Why drawing ends.
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
      // The screen is put back before anything else is said or done.
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
        // All that has come is one picture.
        while let reply = try client.next(MonitorReply.self, atMost: .zero) { picture.note(reply) }
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

  /// Returns when there is news, when a second has gone by in which rates fall, or with a signal that ends the picture.
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

/// What is on the screen.
struct Picture {
  private var zones: [ZoneStatus] = []
  private var meter = RateMeter()

  mutating func note(_ reply: MonitorReply, at now: ContinuousClock.Instant = .now) {
    guard let zone = reply.zone else { return }
    meter.note(zone, at: now)
    if let index = zones.firstIndex(where: { $0.name == zone.name }) { zones[index] = zone } else { zones.append(zone) }
  }

  var isEmpty: Bool { zones.isEmpty }

  /// Whether there are rates to be seen, which fall when nothing comes.
  var isGrowing: Bool { !meter.rates(at: .now).isEmpty }

  /// As many staged payloads of each zone as the rows have room for.
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
