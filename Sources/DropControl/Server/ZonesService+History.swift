internal import DropEngine

extension ZonesService {
  func history(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let zone: String? = try call.parameters.take("zone")
    let since: String? = try call.parameters.take("since")
    let after: Int64 = try call.parameters.take("after") ?? 0
    let limit: Int = try call.parameters.take("limit") ?? limits.receipts
    try call.parameters.finish()
    if let since, Moment(since) == nil { throw .invalidParameter("since") }
    if limit < 1 { throw .invalidParameter("limit") }
    var pages = Pages(zone: zone, since: since.flatMap(Moment.init), after: after, limit: min(limit, limits.receipts))
    guard call.more else {
      let (entries, complete) = try await next(&pages)
      return try replier.send(HistoryReply(entries: entries, complete: complete))
    }
    let first = pages
    _ = try await replier.whileThere { () throws(VarlinkError) in try await follow(first, replier) }
    throw VarlinkError(.stopping)
  }

  /// Where somebody is in the ledger.
  private struct Pages: Sendable {
    let zone: String?
    /// Canonical: what is compared with is written by the daemon.
    let since: Moment?
    var after: Int64
    let limit: Int
    /// The zone's receipts are asked for until there are no more, then all of them, or else a
    /// receipt of another zone would wake us again and again.
    var isFollowing = false
  }

  /// Replies until the client is gone or the daemon stops. The next receipts are asked for when the last were read.
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
        _ = try await asking { () throws(ControlError) in
          try await control.receipts(after: after, timeout: .seconds(24 * 60 * 60))
        }
      }
      pages.isFollowing = true
    }
  }

  /// The next receipts, as many as fit into a reply, and whether they were all there are.
  private func next(_ pages: inout Pages) async throws(VarlinkError) -> (entries: [HistoryEntry], complete: Bool) {
    let (zone, since, after, limit) = (pages.zone, pages.since?.description, pages.after, pages.limit)
    let isFollowing = pages.isFollowing
    let found = try await asking { () throws(ControlError) in
      try await control.history(
        of: isFollowing ? nil : zone, since: isFollowing ? nil : since, after: after, limit: limit)
    }
    var weight = 0
    let fitting = found.prefix { entry in
      weight += entry.receipt.weight
      return weight <= limits.reply || entry.sequence == found.first?.sequence
    }
    pages.after = fitting.last?.sequence ?? after
    let wanted = isFollowing && zone != nil ? fitting.filter { $0.receipt.zone == zone } : Array(fitting)
    return (wanted, fitting.count == found.count && found.count < limit)
  }
}
