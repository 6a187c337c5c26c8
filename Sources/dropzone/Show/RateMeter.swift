import DropEngine

/// Measures how fast staged payloads grow.
struct RateMeter {
  private var samples: [DropID: [Sample]] = [:]
  private var zones: [String: Set<DropID>] = [:]

  private struct Sample {
    let bytes: Int64
    let at: ContinuousClock.Instant
  }

  /// Samples that are older than this no longer count.
  static let window = Duration.seconds(4)

  mutating func record(_ zone: ZoneStatus, at now: ContinuousClock.Instant) {
    let present = Set(zone.staged.map(\.id))
    for gone in zones[zone.name, default: []].subtracting(present) { samples[gone] = nil }
    zones[zone.name] = present
    for payload in zone.staged {
      var taken = samples[payload.id, default: []]
      // A payload that shrank is being written again.
      if let last = taken.last, last.bytes > payload.bytes { taken = [] }
      if taken.last?.bytes != payload.bytes || taken.isEmpty { taken.append(Sample(bytes: payload.bytes, at: now)) }
      // Keep one sample from before the window as the starting point.
      while taken.count > 2, let second = taken.dropFirst().first, now - second.at > Self.window { taken.removeFirst() }
      samples[payload.id] = taken
    }
  }

  /// Bytes per second of each payload that is growing, by id.
  func rates(at now: ContinuousClock.Instant) -> [DropID: Double] {
    samples.compactMapValues { taken in
      guard let first = taken.first, let last = taken.last, last.bytes > first.bytes, now - last.at < Self.window else {
        return nil
      }
      let spent = max(now - first.at, .milliseconds(100))
      return Double(last.bytes - first.bytes) / (spent / .seconds(1))
    }
  }
}
