import Support

/// `Durable=no` compared with other programs that move files, none of which makes any promises.
enum PeerRates {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    let peers = try await Peers.here(workplace)
    let ours = OurDaemon(name: "Durable=no", keys: "[Delivery]\nDurable=no")
    let rates = try await workplace.rounds([ours] + peers.shells + peers.libraries) { mover, places in
      // Programs that start a process per file would take minutes for as many files as the others.
      let isSlow = peers.shells.contains { $0.name == mover.name }
      let count = isSlow ? workplace.count(2_000, quick: 50) : workplace.count(10_000, quick: 500)
      return try await mover.run(on: places) { Double(count) / (try await places.burst(count)) }
    }
    let goals = peers.shells.map { ($0, 20.0) } + peers.libraries.map { ($0, 5.0) }
    let rows = goals.map { peer, goal in
      Row(
        what: "small files per second, Durable=no, vs \(peer.name)",
        measured: "\(rates.median(ours.name).short) vs \(rates.median(peer.name).short) files/s",
        value: rates.ratio(ours.name, to: peer.name), goal: .atLeast(goal))
    }
    return rows
  }
}
