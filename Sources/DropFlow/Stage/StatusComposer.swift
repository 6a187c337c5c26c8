import DropEngine
import DropSystem

/// Puts together what is published of a zone.
struct StatusComposer {
  /// Staged payloads that are listed at most; a reply has no room for more.
  private static let listedLimit = 25_000

  let tree: DirectoryTree
  let typer: ContentTyper

  private typealias Listed = (key: PayloadKey, status: StagedStatus)

  /// A zone as it is now.
  func status(of zone: WatchedZone) -> ZoneStatus {
    let settings = zone.settings
    let listed = listed(in: zone)
    let refusal = liveRefusal(listed, zone)
    let blocked = zone.load.blocked ?? blockedDetail(listed, zone)
    let state = state(of: zone, isBlocked: blocked != nil)
    let reason =
      zone.root.unavailable ?? blocked ?? refusal ?? unlistedReason(zone) ?? scanningReason(zone) ?? slowReason(zone)
    let inHand = zone.load.inHand + zone.staging.inFlightCount
    let count = zone.staging.count
    return ZoneStatus(
      name: zone.name, path: settings.path, box: settings.box, rejects: settings.rejects, state: state,
      isTargeted: zone.isTargeted, operation: refusal != nil ? "forbidden" : liveOperation(listed, zone),
      reason: reason, title: settings.title, hint: settings.hint, symbol: settings.symbol, tint: settings.tint,
      label: label(zone, state, reason: reason, items: count, inHand: inHand), itemsCount: count,
      payloadBytes: zone.staging.bytes, inHand: inHand, accepted: zone.report.accepted,
      rejected: zone.report.rejected, staged: listed.map(\.status), last: zone.report.last)
  }

  private func state(of zone: WatchedZone, isBlocked: Bool) -> ZoneStatus.State {
    if zone.root.unavailable != nil { return .unavailable }
    if zone.staging.isPaused { return .paused }
    if isBlocked { return .blocked }
    return zone.isTargeted ? .targeted : .idle
  }

  private func label(
    _ zone: WatchedZone, _ state: ZoneStatus.State, reason: String?, items: Int, inHand: Int
  ) -> String {
    var parts = ["\(zone.name): \(state == .targeted ? zone.settings.hint : zone.settings.title)", state.rawValue]
    if items > 0 { parts.append(items == 1 ? "1 item" : "\(items) items") }
    if inHand > 0 { parts.append("\(inHand) in hand") }
    if let reason { parts.append(reason) }
    return parts.joined(separator: ", ")
  }

  /// What is staged, the first that came first.
  private func listed(in zone: WatchedZone) -> [Listed] {
    var directories: [Int32: RawPath] = [:]
    let listed = zone.staging.map(oldest: Self.listedLimit) { key, payload -> Listed in
      let directory = directories[key.directory] ?? tree.location(of: key.directory)
      directories[key.directory] = directory
      let status = StagedStatus(
        id: payload.id, rawLocation: directory.appending(key.name), bytes: payload.status.size,
        firstSeen: payload.firstSeen, waiting: payload.waiting, detail: payload.detail)
      return (key, status)
    }
    return Arrival.order(of: listed.lazy.map(\.status)).map { listed[$0] }
  }

  // MARK: - Whether it would be taken

  /// Why the zone would refuse a payload that is arriving, for as long as it arrives.
  private func liveRefusal(_ listed: [Listed], _ zone: WatchedZone) -> String? {
    let accept = zone.settings.accept
    guard accept.maxSize != nil || accept.maxItems != nil || !accept.types.isEmpty || zone.live != nil else {
      return nil
    }
    func refusal(of key: PayloadKey, _ payload: StagedPayload) -> String? {
      payload.waiting.isArriving ? self.refusal(of: key, payload, zone).map { "\(key.name): \($0)" } : nil
    }
    for (key, status) in listed where status.waiting.isArriving {
      if let payload = zone.staging[key], let refusal = refusal(of: key, payload) { return refusal }
    }
    guard listed.count < zone.staging.count else { return nil }
    return zone.staging.all.lazy.compactMap { refusal(of: $0.key, $0.payload) }.first { _ in true }
  }

  private func refusal(of key: PayloadKey, _ payload: StagedPayload, _ zone: WatchedZone) -> String? {
    let accept = zone.settings.accept
    if let refusal = accept.sizeRefusal(payload.status.size, isComplete: false) { return refusal.message }
    if let refusal = accept.itemsRefusal(payload.ordinal) { return refusal.message }
    if let refusal = zone.live?.answers[payload.id]?.verdict?.refusal { return refusal }
    guard !accept.types.isEmpty, case .ordinary = payload.name, !zone.plan.mayTake(name: key.name, by: typer) else {
      return nil
    }
    return
      "its name says \(typer.claimedType(of: key.name) ?? "nothing"); this zone takes \(accept.types.joined(separator: ", "))"
  }

  /// How arriving payloads would be taken: copied if the zone, or the configuration for the first of them, says so.
  private func liveOperation(_ listed: [Listed], _ zone: WatchedZone) -> String {
    let own = zone.settings.delivery.operation
    guard own == .move, let live = zone.live,
      let first = listed.first(where: { $0.status.waiting.isArriving && live.answers[$0.status.id] != nil }),
      live.answers[first.status.id]?.verdict?.operation == .copy
    else { return own.rawValue }
    return LiveOperation.copy.rawValue
  }

  // MARK: - Reasons

  /// What one of the payloads waits for a place for; if there are too many to be listed, any one of them.
  private func blockedDetail(_ listed: [Listed], _ zone: WatchedZone) -> String? {
    if let first = listed.first(where: { $0.status.waiting == .blocked }) { return first.status.detail }
    guard listed.count < zone.staging.count else { return nil }
    return zone.staging.all.first { $0.payload.waiting == .blocked }?.payload.detail
  }

  /// Names one directory that cannot be listed, and counts the others.
  private func unlistedReason(_ zone: WatchedZone) -> String? {
    guard let (directory, reason) = zone.coverage.unlisted.first else { return nil }
    let path = RawPath(zone.settings.path).appending(tree.location(of: directory))
    let others = zone.coverage.unlisted.count - 1
    return "'\(path)' cannot be listed: \(reason)"
      + (others == 0 ? "" : others == 1 ? "; nor can another one" : "; nor can \(others) others")
  }

  /// Says where a zone relies on scans.
  private func scanningReason(_ zone: WatchedZone) -> String? {
    if !zone.coverage.unwatched.isEmpty {
      return "\(zone.coverage.unwatched.count) directories could not be watched and are scanned"
    }
    guard let root = zone.root.directory, let kind = tree[root]?.kind, !kind.raisesEvents else { return nil }
    return "events do not tell all on \(kind.name): the zone is scanned"
  }

  /// Names a configuration that answers late.
  private func slowReason(_ zone: WatchedZone) -> String? {
    guard let slowest = zone.live?.slowest else { return nil }
    return "its configuration took \(slowest.took.formatted) for '\(slowest.location)'"
  }
}

/// Stands for a payload while payloads are put in order, because the payloads themselves are big.
private struct Arrival: Comparable {
  let firstSeen: Int64
  let id: DropID
  let index: Int

  /// The indices of payloads, the first that came first.
  static func order(of listed: some Sequence<StagedStatus>) -> [Int] {
    listed.enumerated().map { Arrival(firstSeen: $1.firstSeen, id: $1.id, index: $0) }.sorted().map(\.index)
  }

  static func < (a: Arrival, b: Arrival) -> Bool { (a.firstSeen, a.id) < (b.firstSeen, b.id) }
}
