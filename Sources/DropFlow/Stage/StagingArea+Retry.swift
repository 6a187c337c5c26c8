import DropEngine
import DropSystem

/// A reject that is tried again lies in no zone; its zone's configuration is asked all the same.
extension StagingArea {
  func configure(_ drop: Drop, in name: String) async -> LiveReply {
    guard let zone = zones[name], let live = zone.live, live.asksConfiguration, live.retries[drop.id] == nil else {
      return .nobody
    }
    let (id, number) = (drop.id, live.number)
    Task {
      await TimerQueue.shared.sleep(for: LiveZone.patience)
      giveUpRetry(of: id, in: name, by: number)
    }
    return await withCheckedContinuation { caller in
      zone.live?.retries[id] = caller
      live.configurator.askAtRelease(
        LiveRound(root: zone.resolvedPath, view: view(of: drop), questions: [question(drop)]))
    }
  }

  private func giveUpRetry(of id: DropID, in name: String, by number: Int) {
    guard zones[name]?.live?.number == number else { return }
    zones[name]?.live?.retries.removeValue(forKey: id)?.resume(returning: .late)
  }

  private func question(_ drop: Drop) -> LiveQuestion {
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
      id: newDropID(), phase: .exiting, location: drop.location, items: [item], itemsCount: 1, bytes: drop.size)
  }
}
