import DropEngine
import DropSystem

/// Looks at what the hold has of a payload while somebody else has its path.
struct HeldInspection: Sendable {
  let context: FlowContext

  func inspect(_ drop: Drop, wantsReturn: Bool = false) -> Delivery.Event {
    do throws(FileError) {
      return .inspected(try held(drop), nameIsFree: wantsReturn && nameIsFree(drop))
    } catch {
      return .failed(.init(held: drop, error))
    }
  }

  private func held(_ drop: Drop) throws(FileError) -> Delivery.Held {
    let status: FileStatus
    do throws(FileError) {
      status = try drop.openHeld().status
    } catch  where error.errno == .noEntry && drop.isHoldThere {
      return try leftInHold(of: drop)
    }
    let isSame =
      status.identity.inode == drop.inode && status.size == drop.size && status.modified == drop.modified
      && status.changed == drop.changed
    return isSame ? .same : .changed(status)
  }

  /// A handler may have renamed, packed or exchanged the payload: only what has left the hold is gone. A file is gone on
  /// with, the payload itself before all others.
  private func leftInHold(of drop: Drop) throws(FileError) -> Delivery.Held {
    let hold = try Directory(drop.holdPath, noFollow: true)
    var listing = try hold.listing()
    var file: (entry: String, status: FileStatus)?
    var names: [RawPath] = []
    let id = Array(drop.id.description.utf8)
    while let name = try listing.next() {
      guard name.bytes.starts(with: id), let status = try? hold.status(of: name) else { continue }
      names.append(name)
      guard status.kind == .regular, let entry = name.string else { continue }
      let isPayload = status.identity.matches(inode: drop.inode, birth: drop.birth)
      if file == nil || isPayload { file = (entry, status) }
    }
    if names.isEmpty { return .gone }
    let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    let list = names.count > 3 ? shown + " and \(names.count - 3) more" : shown
    let message = "the handler left \(list) in the hold '\(Escaping.escape(drop.holdPath))'"
    context.warning(message, drop)
    guard let file else { return .unusable(message: message) }
    return .renamed(entry: file.entry, file.status, message: message)
  }

  /// Whether the payload's own name is free, in a directory of the zone that is still there.
  private func nameIsFree(_ drop: Drop) -> Bool {
    guard drop.source == nil, let parent = try? Directory(drop.zonePath).directory(at: drop.location.parent),
      parent.isWritable
    else { return false }
    do throws(FileError) {
      return try parent.statusIfPresent(of: drop.location.lastComponent) == nil
    } catch {
      return false
    }
  }
}
