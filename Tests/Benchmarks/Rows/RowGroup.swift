import Support

/// Rows that are measured together.
struct RowGroup: Sendable {
  /// The group's name for `--only`.
  let name: String
  let measure: @Sendable (Workplace) async throws -> [Row]

  static let all = [
    RowGroup(name: "files", measure: SmallFiles.measure),
    RowGroup(name: "latency", measure: Latency.measure),
    RowGroup(name: "peers", measure: PeerRates.measure),
    RowGroup(name: "stream", measure: Streaming.measure),
    RowGroup(name: "overflow", measure: Overflow.measure),
    RowGroup(name: "waiting", measure: WaitingFiles.measure),
    RowGroup(name: "directories", measure: ManyDirectories.measure),
    RowGroup(name: "zones", measure: ManyZones.measure),
    RowGroup(name: "big", measure: BigFiles.measure),
    RowGroup(name: "writing", measure: Writing.measure),
    RowGroup(name: "growth", measure: Growth.measure),
  ]
}

extension Workplace {
  /// Measures each mover in turn for several rounds, in alternating order. Returns one figure per round, by name.
  func rounds<Figure>(
    _ movers: [any Mover], _ measure: (any Mover, Places) async throws -> Figure
  ) async throws -> [String: [Figure]] {
    var figures: [String: [Figure]] = [:]
    for round in 0..<arguments.rounds {
      for mover in round.isMultiple(of: 2) ? movers : movers.reversed() {
        figures[mover.name, default: []].append(try await with { try await measure(mover, $0) })
      }
    }
    return figures
  }
}

extension [String: [Double]] {
  /// The median of the ratios of all rounds. A slow spell of the machine then affects both figures of a round.
  func ratio(_ name: String, to other: String) -> Double {
    zip(self[name] ?? [], self[other] ?? []).map { $0 / $1 }.median
  }

  func median(_ name: String) -> Double { (self[name] ?? []).median }
}
