import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite struct DirectoryTreeTests {
  /// A tree of `top/middle/low` below the root of a zone, and the numbers of the four.
  private static func make(in rig: AreaRig) throws -> (tree: DirectoryTree, ids: [Int32]) {
    let directory = try Directory(rig.root)
    let status = try directory.status()
    let (plan, flow) = try rig.makeFlow()
    let places = FileSystemQueues()
    let ground = DirectoryGround(
      zone: WatchedZone(plan, flow, at: places.make()),
      OpenedDirectory(directory: directory, status: status, kind: directory.fileSystemKind),
      at: places.fileSystem(status.identity.device), rig.root)
    let tree = DirectoryTree()
    var ids: [Int32] = []
    for (depth, name) in ["", "top", "middle", "low"].enumerated() {
      ids.append(
        tree.insert(
          DirectoryNode(
            on: ground, parent: ids.last, name: RawPath(name), identity: status.identity, depth: depth,
            isTemporary: false)))
    }
    return (tree, ids)
  }

  @Test func `a directory that is removed is returned with where it was, and what lay below it`() async throws {
    try await AreaRig.with { rig in
      let (tree, ids) = try Self.make(in: rig)
      let removed = tree.remove(ids[1])
      #expect(removed.map(\.location) == ["top", "top/middle", "top/middle/low"])
      #expect(removed.map(\.id) == Array(ids[1...]))
      #expect(tree.count == 1 && tree[ids[0]]?.children.isEmpty == true)
    }
  }

  @Test func `a directory on its way is removed with where it was before`() async throws {
    try await AreaRig.with { rig in
      let (tree, ids) = try Self.make(in: rig)
      let location = tree.location(of: ids[2])
      tree.detach(ids[2])
      #expect(tree[ids[1]]?.children.isEmpty == true)
      #expect(tree.remove(ids[2], at: location).map(\.location) == ["top/middle", "top/middle/low"])
      #expect(tree.count == 2)
    }
  }

  @Test func `a directory that is moved takes what lies below it along`() async throws {
    try await AreaRig.with { rig in
      let (tree, ids) = try Self.make(in: rig)
      tree.detach(ids[2])
      tree.attach(ids[2], to: ids[0], as: ".other", isTemporary: true)
      #expect(tree.location(of: ids[3]) == ".other/low")
      #expect(tree.find(".other/low", from: ids[0]) == ids[3])
      #expect(tree.find("top/middle", from: ids[0]) == nil)
      #expect(tree[ids[3]]?.depth == 2 && tree[ids[3]]?.isTemporary == true)
      #expect(tree[ids[3]]?.nameKind(of: "a.txt").isTemporary == true)
    }
  }
}
