import Simulation
import Testing

/// What a power cut keeps and a sync secures, on the model of each file system.
@Suite struct FileSystemTests {
  private static let bytes = Content(source: 1, length: 100)
  private static let name = Name(1)

  /// A machine with a file in a zone that was committed long ago, or just written, and a box.
  private struct Rig {
    var disk: FileSystem
    let zone: FileID
    let box: FileID
    let file: FileID

    init(_ kind: FileSystemKind, isOld: Bool) throws {
      disk = FileSystem(kind)
      zone = try disk.create(Name(10), in: .root, isDirectory: true, at: 0)
      box = try disk.create(Name(11), in: .root, isDirectory: true, at: 0)
      disk.syncAll()
      file = try disk.create(name, in: zone, at: 1)
      disk.write(bytes, to: file, at: 1)
      if isOld { disk.syncAll() }
    }

    mutating func rename() throws { try disk.rename(name, in: zone, to: name, in: box, at: 2) }

    /// Where the file may be after a power cut, and with how many bytes.
    func outcomes() -> Set<String> {
      var outcomes: Set<String> = []
      var choices: Choices? = Choices()
      while var next = choices {
        var left = disk
        left.cut(&next)
        let places = [(zone, "zone"), (box, "box")].filter { left.find(name, in: $0.0) == file }.map(\.1)
        let content = left[file].content
        outcomes.insert((places + [content == bytes ? "whole" : "damaged"]).joined(separator: " "))
        choices = next.next
      }
      return outcomes
    }
  }

  @Test(arguments: FileSystemKind.allCases)
  func `a rename that was not synced may be lost, and never loses the file`(kind: FileSystemKind) throws {
    var rig = try Rig(kind, isOld: true)
    try rig.rename()
    #expect(rig.outcomes() == ["zone whole", "box whole"])
  }

  @Test(arguments: FileSystemKind.allCases)
  func `a sync of the target directory keeps the new name, on btrfs perhaps with the old one`(
    kind: FileSystemKind
  ) throws {
    var rig = try Rig(kind, isOld: true)
    try rig.rename()
    rig.disk.sync(rig.box)
    #expect(rig.outcomes() == (kind == .btrfs ? ["zone box whole", "box whole"] : ["box whole"]))
  }

  @Test(arguments: FileSystemKind.allCases)
  func `a sync of the source directory or of the file keeps the whole rename`(kind: FileSystemKind) throws {
    for isDirectory in [true, false] {
      var rig = try Rig(kind, isOld: true)
      try rig.rename()
      rig.disk.sync(isDirectory ? rig.zone : rig.file)
      #expect(rig.outcomes() == ["box whole"])
    }
  }

  @Test(arguments: FileSystemKind.allCases)
  func `a file whose bytes were not synced may be damaged under its new name`(kind: FileSystemKind) throws {
    var rig = try Rig(kind, isOld: false)
    try rig.rename()
    rig.disk.sync(rig.box)
    #expect(rig.outcomes().contains("box damaged"))
  }

  @Test(arguments: FileSystemKind.allCases)
  func `a synced file keeps its bytes whatever becomes of its names`(kind: FileSystemKind) throws {
    var rig = try Rig(kind, isOld: false)
    rig.disk.sync(rig.file)
    try rig.rename()
    #expect(rig.outcomes() == ["zone whole", "box whole"])
  }

  @Test(arguments: FileSystemKind.allCases)
  func `the number of a removed file is used again, except on btrfs`(kind: FileSystemKind) throws {
    var rig = try Rig(kind, isOld: true)
    let number = rig.disk[rig.file].number
    try rig.disk.unlink(Self.name, in: rig.zone, at: 2)
    let next = try rig.disk.create(Self.name, in: rig.zone, at: 3)
    #expect((rig.disk[next].number == number) == (kind != .btrfs))
    #expect(rig.disk[next].birth != rig.disk[rig.file].birth)
  }

  @Test func `choices visit every combination once`() {
    var visited: [[Int]] = []
    var choices: Choices? = Choices()
    while var next = choices {
      let first = next.choose(3)
      visited.append([first, first == 1 ? next.choose(2) : 0])
      choices = next.next
    }
    #expect(visited == [[0, 0], [1, 0], [1, 1], [2, 0]])
  }
}
