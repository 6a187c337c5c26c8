package import DropEngine

extension ZoneStatus {
  /// An idle zone.
  package static func sample(_ name: String, path: String? = nil) -> ZoneStatus {
    let path = path ?? "/srv/drop/\(name)"
    return ZoneStatus(
      name: name, path: path, box: "/srv/box/\(name)", rejects: "/srv/box/\(name).rejects", state: .idle,
      isTargeted: false, operation: "move", reason: nil, title: "Drop here", hint: "Release to add",
      symbol: "tray.and.arrow.down", tint: "blue", label: "Drop here, \(name), idle", itemsCount: 0, payloadBytes: 0,
      inHand: 0, accepted: 3, rejected: 1, staged: [], last: nil)
  }

  /// Returns a copy of the zone in which one more payload is arriving.
  package func targeted(by location: String, bytes: Int64 = 1_200_000, waiting: Waiting = .writer) -> ZoneStatus {
    var zone = self
    zone.state = .targeted
    zone.isTargeted = true
    zone.staged.append(
      StagedStatus(
        id: DropID(milliseconds: 1_772_357_400_000, high: 0, low: 0), rawLocation: RawPath(location), bytes: bytes,
        firstSeen: 1_772_357_400_000, waiting: waiting, detail: "still being written"))
    zone.itemsCount = zone.staged.count
    zone.payloadBytes += bytes
    return zone
  }
}

extension DaemonStatus {
  package static let sample = DaemonStatus(
    version: "1.0", pid: 4321, watches: 12, watchLimit: 65_536, overflows: 0, libmagic: "5.44", mimeInfo: "2.2")
}

extension Receipt {
  package static func sample(
    _ location: String, zone: String = "invoices", id: String = "01kk0000000000000000000001",
    outcome: Outcome = .delivered, reason: Reason? = nil, firstSeen: String = "2026-03-01T09:30:00.000Z",
    finished: String = "2026-03-01T09:30:02.000Z", locationBytes: String = ""
  ) -> Receipt {
    Receipt(
      id: id, zone: zone, name: location, location: location, locationBytes: locationBytes, bytes: 1_234,
      type: "application/pdf", claimedType: "application/pdf", grade: .proved, operation: "move", outcome: outcome,
      reason: reason, place: "/srv/box/\(zone)/\(location)", placeBytes: "", evidence: .lease, attempts: 1,
      firstSeen: firstSeen, released: finished, finished: finished)
  }
}
