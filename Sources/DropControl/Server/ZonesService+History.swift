internal import DropEngine

extension ZonesService {
  func history(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let zone: String? = try call.parameters.take("zone")
    let since: String? = try call.parameters.take("since")
    let after: Int64 = try call.parameters.take("after") ?? 0
    let limit: Int = try call.parameters.take("limit") ?? limits.receipts
    try call.parameters.finish()
    if let since, WallTime(since) == nil { throw .invalidParameter("since") }
    if limit < 1 { throw .invalidParameter("limit") }
    var pages = Pages(zone: zone, since: since.flatMap(WallTime.init), after: after, limit: min(limit, limits.receipts))
    guard call.more else {
      let (entries, complete) = try await next(&pages)
      return try replier.send(HistoryReply(entries: entries, complete: complete))
    }
    let first = pages
    _ = try await replier.whileConnected { () throws(VarlinkError) in try await follow(first, replier) }
    throw VarlinkError(.stopping)
  }

  /// The position of a client in the ledger.
  private struct Pages: Sendable {
    let zone: String?
    /// Parsed, so that it is passed on in the format that the daemon writes and compares with.
    let since: WallTime?
    var after: Int64
    let limit: Int
    /// First only the zone's receipts are read. Once there are no more, receipts of all zones are read, because otherwise
    /// a receipt of another zone would wake us again and again.
    var isFollowing = false
  }

  /// Sends receipts until the client is gone or the daemon stops. Reads more only when the client has read the last ones.
  private func follow(_ start: Pages, _ replier: Replier) async throws(VarlinkError) {
    var pages = start
    while !Task.isCancelled, !replier.client.isGone {
      let (entries, complete) = try await next(&pages)
      if !entries.isEmpty || (complete && !pages.isFollowing) {
        try replier.send(HistoryReply(entries: entries, complete: complete), continues: true)
        await replier.client.drained()
      }
      guard complete else { continue }
      if pages.isFollowing || pages.zone == nil {
        let after = pages.after
        _ = try await translatingErrors { () throws(ControlError) in
          try await control.receipts(after: after, timeout: .seconds(24 * 60 * 60))
        }
      }
      pages.isFollowing = true
    }
  }

  /// Returns the next receipts, as many as fit into a reply, and whether there are no more.
  private func next(_ pages: inout Pages) async throws(VarlinkError) -> (entries: [HistoryEntry], complete: Bool) {
    let (zone, since, after, limit) = (pages.zone, pages.since?.description, pages.after, pages.limit)
    let isFollowing = pages.isFollowing
    let found = try await translatingErrors { () throws(ControlError) in
      try await control.history(
        of: isFollowing ? nil : zone, since: isFollowing ? nil : since, after: after, limit: limit)
    }
    var encodedSize = 0
    let fitting = found.prefix { entry in
      encodedSize += entry.receipt.encodedSize
      return encodedSize <= limits.reply || entry.sequence == found.first?.sequence
    }
    pages.after = fitting.last?.sequence ?? after
    let wanted = isFollowing && zone != nil ? fitting.filter { $0.receipt.zone == zone } : Array(fitting)
    return (wanted, fitting.count == found.count && found.count < limit)
  }
}
