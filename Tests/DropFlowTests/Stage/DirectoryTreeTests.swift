import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite struct DirectoryTreeTests {
  /// A tree of `top/middle/low` below its root, and the numbers of the four.
  private static func make(in scratch: Scratch) throws -> (tree: DirectoryTree, ids: [Int32]) {
    let directory = try FileDescriptor.open(scratch.path, [.pathOnly, .directory])
    let status = try FileStatus.read(at: directory.number)
    let ground = DirectoryGround(zone: "z", status, kind: FileSystemKind(of: directory.number))
    var tree = DirectoryTree()
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

  @Test func `what is taken out is told with where it was`() async throws {
    try await Scratch.with { scratch in
      var (tree, ids) = try Self.make(in: scratch)
      let removed = tree.remove(ids[1])
      #expect(removed.map(\.location) == ["top", "top/middle", "top/middle/low"])
      #expect(removed.map(\.id) == Array(ids[1...]))
      #expect(tree.count == 1 && tree[ids[0]]?.children.isEmpty == true)
    }
  }

  @Test func `what is on its way is told with where it was before`() async throws {
    try await Scratch.with { scratch in
      var (tree, ids) = try Self.make(in: scratch)
      let location = tree.location(of: ids[2])
      tree.detach(ids[2])
      #expect(tree[ids[1]]?.children.isEmpty == true)
      #expect(tree.remove(ids[2], at: location).map(\.location) == ["top/middle", "top/middle/low"])
      #expect(tree.count == 2)
    }
  }
}
