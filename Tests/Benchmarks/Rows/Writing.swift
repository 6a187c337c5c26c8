import DropEngine
import Support

/// The status of a zone with very many files that are being written.
enum Writing {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let count = workplace.count(10_000, quick: 500)
    let ours = OurDaemon(name: "status")
    return try await workplace.with { places in
      try await ours.run(on: places) { daemon in
        let writer = try await places.writer(of: count)
        defer { writer.send(9) }
        // Wait until all of them are staged; each must say why it is waiting.
        var staged = 0
        for _ in 0..<100 where staged < count {
          staged = try await daemon.control.status().zones.first?.itemsCount ?? 0
          try await Task.sleep(for: .milliseconds(50))
        }
        guard let zone = try await daemon.control.status().zones.first, zone.isTargeted, zone.itemsCount == count,
          zone.staged.allSatisfy({ !$0.detail.isEmpty && $0.waiting.isArriving })
        else { throw Failure("\(staged) of \(count) files are staged, or do not say why") }
        let times = try await places.status(of: daemon.socket, count: workplace.count(51, quick: 5))
        return [
          Row(
            what: "\(Double(count).short) files being written: time for status",
            measured: "all targeted and explained; p99 \(times.p99.milliseconds), measured at the socket",
            value: times.p50 * 1000, goal: .atMost(20, "ms"))
        ]
      }
    }
  }
}
