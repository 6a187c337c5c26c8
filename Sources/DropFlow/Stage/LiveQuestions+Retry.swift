import DropEngine
import DropSystem

/// A reject that is tried again is in no zone; the configuration of its zone is asked about it all the same.
extension LiveQuestions {
  /// Whether a zone's configuration can be asked about a reject now.
  func canAsk(about drop: Drop, in zone: WatchedZone) -> Bool {
    zone.live.map { $0.asksConfiguration && $0.retries[drop.id] == nil } ?? false
  }

  /// Asks about a reject; `caller` gets the answer.
  func ask(about drop: Drop, in zone: WatchedZone, for caller: CheckedContinuation<LiveReply, Never>) {
    zone.live?.retries[drop.id] = caller
    zone.live?.configurator.askAtRelease(
      LiveRound(root: zone.root.path, view: view(of: drop), questions: [Self.question(drop)]))
  }

  /// Answers the caller that its question comes too late, unless it has been answered.
  func giveUp(on id: DropID, in zone: WatchedZone, by configurator: Int) {
    guard zone.live?.number == configurator else { return }
    zone.live?.retries.removeValue(forKey: id)?.resume(returning: .late)
  }

  private static func question(_ drop: Drop) -> LiveQuestion {
    LiveQuestion(
      key: PayloadKey(directory: -1, name: drop.location), id: drop.id, location: drop.location,
      status: FileStatus(
        kind: .regular, identity: FileIdentity(device: 0, inode: drop.inode, birth: drop.birth), size: drop.size),
      wantsType: false, operations: [.move])
  }

  private func view(of drop: Drop) -> SessionView {
    let item = SessionView.Item(
      id: drop.id, location: drop.location, bytes: drop.size, claimedType: drop.claimedType, type: drop.type,
      grade: drop.grade ?? .unproved)
    return SessionView(
      id: zones.time.newID(), phase: .exiting, location: drop.location, items: [item], itemsCount: 1, bytes: drop.size)
  }
}
