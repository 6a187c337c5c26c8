import DropEngine
import DropSystem

/// Room for copies: that of the disk, less what others have been promised.
extension ZoneFlow {
  /// What to say when a payload would be copied into a box that has no room for it; nil when it fits.
  ///
  /// - Parameters:
  ///   - room: What the box had free a moment ago.
  ///   - taken: What of it belongs to others.
  nonisolated func lackOfRoom(
    for claim: Claim, _ zone: ClaimPlace, of room: FreeRoom?, besides taken: Int64 = 0
  ) -> String? {
    guard claim.isCopied(zone) else { return nil }
    return lackOfRoom(for: claim.status, from: claim.file, in: zone.box, of: room, besides: taken)
  }

  /// The same right before the copy, which may be long after the claim.
  func lackOfRoom(for placement: Placement, _ source: OpenFile) -> String? {
    let taken = promisedBytes(at: placement.root.status, besides: placement.payload.drop.id)
    let folder = placement.folder.file
    return lackOfRoom(
      for: placement.look.status, from: source, in: folder, of: freeRoom(at: folder.number), besides: taken)
  }

  private nonisolated func lackOfRoom(
    for status: FileStatus, from file: OpenFile, in place: OpenFile, of room: FreeRoom?, besides taken: Int64
  ) -> String? {
    guard let room else { return nil }
    if room.inodes < 1 { return "box full (no inode free)" }
    let (needed, free) = (status.bytesToCopy, max(0, room.bytes - taken))
    // Blocks that a copy shares are there already.
    if free >= needed || FileCopy.sharesBlocks(of: file.descriptor, in: place.number) { return nil }
    return "box full (needs \(needed.formattedBytes), \(free.formattedBytes) free)"
  }

  /// Bytes that the copies under way will still write to the file system of a box or rejects.
  func promisedBytes(at root: FileStatus, besides id: DropID? = nil) -> Int64 {
    var promised: Int64 = 0
    for (other, placement) in copies where other != id && placement.root.status.identity.device == root.identity.device
    {
      let written = (try? FileStatus.read(at: placement.temporary, in: placement.folder.file.number).allocated) ?? 0
      promised += max(0, placement.look.status.bytesToCopy - written)
    }
    return promised
  }
}

extension Claim {
  /// Whether its bytes are written once more on their way into the box.
  func isCopied(_ zone: ClaimPlace) -> Bool { !zone.boxIsNear || status.links > 1 || drop.operation == .copy }
}

extension Placement {
  /// The name of its copy until that is whole.
  var temporary: RawPath { RawPath(".dropzone-\(payload.drop.id)") }
}

extension FileStatus {
  /// What a copy takes on a disk: blocks that are allocated, not length, for holes stay holes. A petabyte stands for all
  /// that fits nowhere.
  var bytesToCopy: Int64 { min(allocated, size, 1 << 50) }
}

extension DeliveryRules.DigestRule {
  /// Holes above this are no bytes that pass anyway.
  private static let fewHoles: Int64 = 1 << 30

  /// Whether a copy computes one.
  func wish(for source: FileStatus) -> FileCopy.DigestMode {
    switch self {
    case .yes: .always
    case .no: .never
    case .auto: source.size - source.bytesToCopy > Self.fewHoles ? .never : .ifPassing
    }
  }

  /// Whether one is computed for itself, of a file that so far nobody reads.
  func isWanted(ofBytes size: Int64) -> Bool {
    switch self {
    case .yes: true
    case .no: false
    case .auto: size <= ZoneFlow.fewBytes
    }
  }
}
