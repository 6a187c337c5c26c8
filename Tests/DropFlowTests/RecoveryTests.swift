import DropEngine
import DropFlow
import DropSystem
import Support
import Testing

/// The column «what recovery sees» of the durability tables, on real directories: a row and where its payload lies.
@Suite struct RecoveryTests {
  @Test func `a claimed payload that is in the hold goes on from there`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.claiming, lyingIn: ground.hold)
      guard case .resume(let payload) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not resumed")
        return
      }
      #expect(payload.drop.id == row.id)
    }
  }

  @Test func `a claim that a power cut left half done keeps the later name`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.claiming, lyingIn: ground.zone)
      try ground.link(ground.zone, to: ground.hold)
      guard case .resume = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not resumed")
        return
      }
      #expect(ground.hold.exists && !ground.zone.exists)
    }
  }

  @Test func `a payload that was never taken is left to the scan, with its starts`() async throws {
    try await Ground.with { ground in
      var row = try ground.row(.claiming, lyingIn: ground.zone)
      row.starts = 2
      guard case .forget(let note?) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not forgotten")
        return
      }
      #expect(note.starts == 2 && ground.zone.exists)
      guard case .forget(let clean?) = Recovery.step(row, isCleanStop: true) else {
        Issue.record("it is not forgotten after a clean stop")
        return
      }
      #expect(clean.starts == 0, "a clean stop was not its fault")
    }
  }

  @Test func `a payload that is nowhere was withdrawn`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.claiming, lyingIn: ground.zone)
      try ground.remove(ground.zone)
      guard case .withdrawn = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not withdrawn")
        return
      }
    }
  }

  @Test func `without its hold nothing is known of a payload`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.claiming, lyingIn: ground.zone)
      try ground.remove(ground.zone)
      try ground.remove(ground.hold.parent)
      guard case .park = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not parked")
        return
      }
    }
  }

  @Test func `another directory in place of the hold says nothing of a payload`() async throws {
    try await Ground.with { ground in
      for state in [Drop.State.claiming, .placing, .returning] {
        var row = try ground.row(state, lyingIn: ground.zone)
        try ground.remove(ground.zone)
        let own = try ground.identity(ofParentOf: ground.hold)
        row.holdIdentity = StoredIdentity(inode: own.inode + 1, birth: own.birth)
        guard case .park = Recovery.step(row, isCleanStop: false) else {
          Issue.record("it is not parked as \(state)")
          return
        }
        row.holdIdentity = own.stored
        if case .park = Recovery.step(row, isCleanStop: false) { Issue.record("it is parked as \(state)") }
      }
    }
  }

  @Test func `a payload in hand keeps its number in the session`() async throws {
    try await Ground.with { ground in
      var row = try ground.row(.claiming, lyingIn: ground.hold)
      row.ordinal = 3
      guard case .resume(let payload) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not resumed")
        return
      }
      #expect(payload.drop.ordinal == 3)
      try ground.rename(ground.hold, to: ground.zone)
      guard case .forget(let count?) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not forgotten")
        return
      }
      #expect(count.ordinal == 3)
    }
  }

  @Test func `a verdict stands for what is still in the hold, and not for what a power cut shortened`() async throws {
    try await Ground.with { ground in
      var row = try ground.row(.placing, lyingIn: ground.hold)
      guard case .resume(let payload) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not resumed")
        return
      }
      #expect(payload.drop.isAccepted)
      row.size += 1
      guard case .resume(let short) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("the short one is not resumed")
        return
      }
      guard case .rejected(.damagedByPowerCut, _)? = short.drop.verdict else {
        Issue.record("its verdict is \(String(describing: short.drop.verdict))")
        return
      }
    }
  }

  @Test func `a payload that is in the box lacks its receipt alone`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.placing, lyingIn: ground.box)
      // On btrfs a power cut can leave both names.
      try ground.link(ground.box, to: ground.hold)
      guard case .finish(_, let place) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not finished")
        return
      }
      #expect(place == ground.box && ground.box.exists && !ground.hold.exists)
    }
  }

  @Test func `a payload that was to be in the box and is nowhere was taken by who reads it`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.placing, lyingIn: ground.hold)
      try ground.remove(ground.hold)
      guard case .finish(_, nil) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not finished")
        return
      }
    }
  }

  @Test func `before the copy is committed it is made again, and after that never`() async throws {
    try await Ground.with { ground in
      var row = try ground.row(.placing, lyingIn: ground.hold)
      let temporary = ground.box.parent.appending(RawPath(".dropzone-\(row.id)"))
      try temporary.write("half")
      guard case .resume = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not copied again")
        return
      }
      #expect(!temporary.exists, "the half copy is gone")
      row.state = .copied
      row.copyInode = 1
      guard case .finish(_, nil) = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it would be copied twice")
        return
      }
    }
  }

  @Test func `below a place that is not mounted nothing is concluded`() async throws {
    try await Ground.with { ground in
      for state in [Drop.State.copied, .placing, .returning, .claiming] {
        var row = try ground.row(.placing, lyingIn: ground.hold)
        row.state = state
        row.copyInode = 1
        try ground.remove(ground.hold)
        guard case .park = Recovery.step(row, isCleanStop: false, wasMountPoint: { _ in true }) else {
          Issue.record("\(state) is not parked")
          return
        }
      }
    }
  }

  @Test func `what was copied keeps its row while its hold is away with what it lies on`() async throws {
    try await Ground.with { ground in
      var row = try ground.row(.placing, lyingIn: ground.hold)
      row.state = .placed
      guard case .close = Recovery.step(row, isCleanStop: false) else {
        Issue.record("its source is not removed")
        return
      }
      try ground.remove(ground.hold)
      try ground.remove(ground.hold.parent)
      guard case .park = Recovery.step(row, isCleanStop: false, wasMountPoint: { $0 == row.zonePath }) else {
        Issue.record("it is not parked")
        return
      }
    }
  }

  @Test func `a copy without a verdict gives way to its original, and stays where that is gone`() async throws {
    try await Ground.with { ground in
      let original = try ground.row(.claiming, lyingIn: ground.zone)
      for state in [Drop.State.claiming, .returning] {
        var row = try ground.row(state, lyingIn: ground.hold)
        row.original = Drop.Original(inode: original.inode, birth: original.birth, modified: 0, changed: 0)
        guard case .forget(let note?) = Recovery.step(row, isCleanStop: false) else {
          Issue.record("it is not forgotten")
          return
        }
        #expect(note.inode == original.inode && !ground.hold.exists)
        row = try ground.row(state, lyingIn: ground.hold)
        row.original = Drop.Original(inode: 1, birth: 1, modified: 0, changed: 0)
        guard case .resume(let payload) = Recovery.step(row, isCleanStop: false) else {
          Issue.record("it is not resumed")
          return
        }
        #expect(payload.drop.state == .claiming && ground.hold.exists)
      }
    }
  }

  @Test func `an undo whose delivery was taken meanwhile leaves no half copy`() async throws {
    try await Ground.with { ground in
      var row = try ground.row(.returning, lyingIn: ground.hold)
      row.source = ground.hold
      let temporary = ground.zone.parent.appending(RawPath(".dropzone-\(row.id)"))
      try temporary.write("half")
      guard case .undo = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not put back")
        return
      }
      try ground.remove(ground.hold)
      guard case .withdrawn = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not gone")
        return
      }
      #expect(!temporary.exists)
    }
  }

  @Test func `a payload on its way back is renamed again, or only its row is closed`() async throws {
    try await Ground.with { ground in
      let row = try ground.row(.returning, lyingIn: ground.hold)
      guard case .putBack = Recovery.step(row, isCleanStop: false) else {
        Issue.record("it is not put back")
        return
      }
      try ground.rename(ground.hold, to: ground.zone)
      guard case .closeReturned = Recovery.step(row, isCleanStop: false) else {
        Issue.record("its row is not closed")
        return
      }
      #expect(ground.zone.exists)
    }
  }
}

/// A zone, a hold and a box, each with the path that the one payload has there.
private struct Ground {
  let id = newDropID()
  let zone: RawPath
  let hold: RawPath
  let box: RawPath

  static func with(_ body: (Ground) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      for name in ["zone", "hold", "box"] { try scratch.path.appending(RawPath(name)).makeDirectory() }
      try await body(Ground(scratch.path))
    }
  }

  private init(_ root: RawPath) {
    zone = root.appending("zone/one.txt")
    hold = root.appending(RawPath("hold/\(id).txt"))
    box = root.appending("box/one.txt")
  }

  /// The row of a payload of four bytes that lies there.
  func row(_ state: Drop.State, lyingIn path: RawPath) throws -> Drop {
    try path.write("four")
    let parent = try FileDescriptor.open(path.parent, [.pathOnly, .directory])
    let status = try FileStatus.read(at: path.lastComponent, in: parent.number)
    var drop = Drop(
      id: id, zone: "z", location: "one.txt", state: state, operation: .move, zonePath: zone.parent.description,
      boxPath: box.parent.description, rejectsPath: box.parent.description + ".rejects",
      holdPath: hold.parent.description, entry: "\(id).txt", inode: status.identity.inode, birth: status.identity.birth,
      size: status.size, modified: status.modified, firstSeen: 0, released: 0, evidence: .lease)
    if state == .placing {
      drop.verdict = .accepted(message: nil)
      drop.destinationRoot = box.parent.description
      drop.destinationName = "one.txt"
    }
    return drop
  }

  func link(_ path: RawPath, to other: RawPath) throws {
    let (from, to) = try (folder(path), folder(other))
    try Directory.link(path.lastComponent, in: from.number, to: other.lastComponent, in: to.number)
  }

  func rename(_ path: RawPath, to other: RawPath) throws {
    let (from, to) = try (folder(path), folder(other))
    try Directory.rename(path.lastComponent, in: from.number, to: other.lastComponent, in: to.number)
  }

  func remove(_ path: RawPath) throws {
    let parent = try folder(path)
    if (try? Directory.unlink(path.lastComponent, in: parent.number)) == nil {
      try Directory.removeEmpty(path.lastComponent, in: parent.number)
    }
  }

  func identity(ofParentOf path: RawPath) throws -> FileIdentity {
    let folder = try folder(path)
    return try FileStatus.read(at: folder.number).identity
  }

  private func folder(_ path: RawPath) throws -> OpenFile {
    OpenFile(try FileDescriptor.open(path.parent, [.pathOnly, .directory]))
  }
}
