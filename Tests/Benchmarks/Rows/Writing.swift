import DropControl
import DropEngine
import Support

/// Very many files that are all being written.
enum Writing {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let count = workplace.count(10_000, quick: 500)
    let ours = OurDaemon(name: "status")
    return try await workplace.with { places in
      try await ours.run(on: places) { daemon in
        let writer = try await places.writer(of: count)
        defer { writer.send(9) }
        // Every one of them is there, and says why it waits.
        var staged = 0
        for _ in 0..<100 where staged < count {
          staged = try await daemon.control.status().zones.first?.itemsCount ?? 0
          try await Task.sleep(for: .milliseconds(50))
        }
        guard let zone = try await daemon.control.status().zones.first, zone.isTargeted, zone.itemsCount == count,
          zone.staged.allSatisfy({ !$0.detail.isEmpty && $0.waiting.isArriving })
        else { throw Failure("\(staged) of \(count) files are staged, or do not say why") }
        var times: [Double] = []
        let client = try ControlClient(at: daemon.socket)
        for _ in 0..<21 {
          times.append(try ContinuousClock().measure { _ = try client.list([]) } / .seconds(1))
          try await Task.sleep(for: .milliseconds(100))
        }
        return [
          Row(
            what: "\(Double(count).short) files being written: status", measured: "all targeted and explained",
            value: times.median * 1000, goal: .atMost(20, "ms"))
        ]
      }
    }
  }
}
