import DropControl
import DropEngine
import DropSystem
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct MonitorTests {
  @Test func `Monitor sends each zone once, and then each change`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        try client.monitor([])
        let first = try [client.next(MonitorReply.self), client.next(MonitorReply.self)]
        #expect(first.map { $0?.zone?.name } == ["invoices", "photos"])
        #expect(first.map { $0?.n } == [1, 2])
        let targeted = ZoneStatus.sample("photos").targeted(by: "a.jpg")
        zones.publish(targeted)
        let change = try client.next(MonitorReply.self)
        #expect(change?.zone == targeted)
        #expect(change?.n == 3)
        #expect(change.flatMap { WallTime($0.at) } != nil)
      }
    }
  }

  @Test func `Monitor sends only the named zones`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        try client.monitor(["photos"])
        #expect(try client.next(MonitorReply.self)?.zone?.name == "photos")
        zones.publish(ZoneStatus.sample("invoices").targeted(by: "a"))
        zones.publish(ZoneStatus.sample("photos").targeted(by: "a"))
        #expect(try client.next(MonitorReply.self)?.zone?.name == "photos")
      }
    }
  }

  @Test func `a client that does not read loses changes, is told so, and does not slow others`() async throws {
    let zones = ScriptedZones()
    var limits = ControlLimits()
    limits.waiting = 200_000
    limits.change = 50_000
    try await ControlRig.run(zones, limits: limits) { rig in
      try await offPool {
        let slow = try ControlClient(at: rig.path)
        try slow.monitor([])
        let quick = try ControlClient(at: rig.path)
        try quick.monitor(["invoices"])
        _ = try quick.next(MonitorReply.self)
        let (idle, targeted) = (ZoneStatus.sample("invoices"), ZoneStatus.sample("invoices").targeted(by: "a"))
        // The other client reads all changes, so they have all passed through the server when it has read the last one.
        let rounds = 4_000
        for round in 0..<rounds {
          zones.publish(round.isMultiple(of: 2) ? targeted : idle)
          let heard = try quick.next(MonitorReply.self)
          #expect(heard?.n == round + 2)
        }
        var seen = 0
        var marker: MonitorReply?
        var next = 1
        while marker == nil, let change = try slow.next(MonitorReply.self) {
          if change.overrun { marker = change } else { #expect(change.n == next) }
          next += 1
          seen += 1
        }
        #expect(seen > 10)
        #expect(marker?.zone == nil)
        // The number in the marker counts the changes that were sent and those that were lost.
        #expect((marker?.n ?? 0) > seen)
        let afresh = try [slow.next(MonitorReply.self), slow.next(MonitorReply.self)]
        #expect(afresh.map { $0?.zone } == [idle, .sample("photos")])
        #expect(afresh[0]?.n == marker.map { $0.n + 1 })
        zones.publish(targeted)
        #expect(try slow.next(MonitorReply.self)?.zone == targeted)
      }
    }
  }

  @Test func `a client that disconnects no longer follows changes`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      try await offPool {
        do {
          let client = try ControlClient(at: rig.path)
          try client.monitor([])
          _ = try client.next(MonitorReply.self)
          #expect(zones.followers == 1)
        }
        until { zones.followers == 0 }
      }
    }
  }

  @Test func `History returns receipts in pages, and follows new ones`() async throws {
    let zones = ScriptedZones()
    var limits = ControlLimits()
    limits.receipts = 10
    for number in 0..<25 { zones.add(.sample("\(number).pdf", zone: number.isMultiple(of: 5) ? "photos" : "invoices")) }
    try await ControlRig.run(zones, limits: limits) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        var after: Int64 = 0
        var pages: [Int] = []
        while true {
          let page = try client.history(of: nil, since: nil, after: after)
          pages.append(page.entries.count)
          after = page.entries.last?.sequence ?? after
          if page.isComplete { break }
        }
        #expect(pages == [10, 10, 5])

        let following = try ControlClient(at: rig.path)
        try following.followHistory(of: "photos", since: nil)
        #expect(try following.nextReceipts()?.map(\.receipt.name) == ["0.pdf", "5.pdf", "10.pdf", "15.pdf", "20.pdf"])
        zones.add(.sample("other", zone: "invoices"))
        zones.add(.sample("new", zone: "photos"))
        #expect(try following.nextReceipts()?.map(\.receipt.name) == ["new"])
        zones.add(.sample("newer", zone: "photos"))
        #expect(try following.nextReceipts()?.map(\.receipt.name) == ["newer"])
      }
    }
  }

  @Test func `History returns receipts since a time`() async throws {
    let zones = ScriptedZones()
    zones.add(.sample("old", finished: "2026-03-01T09:00:00.000Z"))
    zones.add(.sample("new", finished: "2026-03-01T10:00:00.000Z"))
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        let page = try client.history(of: nil, since: WallTime("2026-03-01T10:30:00+01:00"), after: 0)
        #expect(page.entries.map(\.receipt.name) == ["new"])
      }
    }
  }
}
