import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// Which names are staged, and what they wait for.
@Suite(.timeLimit(.minutes(5))) struct PayloadInspectorTests {
  struct Row: Sendable {
    var name: String
    var make: @Sendable (RawPath) throws -> Void = { try $0.write("hello") }
    /// What it waits for, and why; nil if it is left alone.
    var waiting: String?
  }

  static let rows: [Row] = [
    Row(name: "plain.txt", waiting: "quiet: marker missing"),
    Row(name: "no extension", waiting: "quiet: marker missing"),
    Row(name: "sub/low/deep.txt", waiting: "quiet: marker missing"),
    Row(name: "half.part", waiting: "temporary-name: "), Row(name: ".hidden", waiting: "temporary-name: "),
    Row(name: ".sub/plain.txt", waiting: "temporary-name: "),
    Row(name: "Thumbs.db"), Row(name: "@eaDir/plain.txt"), Row(name: "unwanted.log"),
    Row(
      name: "link.txt", make: { try $0.makeLink(to: "plain.txt") }, waiting: "special: a symbolic link is never opened"),
    Row(name: "pipe.txt", make: { try $0.makePipe() }, waiting: "special: a named pipe is never opened"),
    Row(name: "announced.txt.done", waiting: "quiet: marker without its file"),
  ]

  @Test(arguments: [true, false])
  func `name and kind of a file decide whether it is staged`(isScanned: Bool) async throws {
    let make: @Sendable (RawPath) throws -> Void = { zone in
      for row in Self.rows {
        let path = zone.appending(RawPath(row.name))
        var parents: [RawPath] = []
        while let parent = Optional(parents.last?.parent ?? path.parent), !parent.exists { parents.append(parent) }
        for parent in parents.reversed() { try parent.makeDirectory() }
        try row.make(path)
      }
    }
    let options = AreaRig.Options(
      isPaused: false,
      settings: {
        $0.staging.quiet = .seconds(3600)
        $0.accept.excludeNames = ["*.log"]
        $0.staging.marker = ".done"
      },
      originals: { zone in
        if isScanned { try make(zone) }
        return []
      })
    try await AreaRig.with(options) { rig in
      if !isScanned { try make(rig.path("Z")) }
      let expected = Self.rows.filter { $0.waiting != nil }
      let staged = try await rig.status { $0.staged.count == expected.count }?.staged ?? []
      let waiting = Dictionary(
        uniqueKeysWithValues: staged.map { ($0.location, "\($0.waiting.rawValue): \($0.detail)") })
      for row in expected {
        #expect(waiting[row.name]?.hasPrefix(row.waiting ?? "") == true, "\(row.name): \(waiting[row.name] ?? "")")
      }
      #expect(try rig.last == nil)
    }
  }

  @Test func `what lies too deep is listed, and left where it is`() async throws {
    let deep = Array(repeating: "d", count: PayloadInspector.deepest).joined(separator: "/")
    let options = AreaRig.Options(originals: { zone in
      var path = zone
      for _ in 0..<PayloadInspector.deepest {
        path = path.appending("d")
        try path.makeDirectory()
      }
      try path.appending("a.txt").write("hello")
      return []
    })
    try await AreaRig.with(options) { rig in
      let staged = try await rig.status { !$0.staged.isEmpty }?.staged.first
      #expect(staged?.location == deep)
      #expect(staged?.waiting == .special && staged?.detail == "location-too-long")
    }
  }

  @Test func `below a zone that is not recursive nothing is staged`() async throws {
    try await AreaRig.with(.init(settings: { $0.recursive = false })) { rig in
      try rig.path("Z/sub").makeDirectory()
      try rig.path("Z/sub/a.txt").write("1")
      try rig.path("Z/b.txt").write("2")
      #expect(try await rig.staged(1).keys.sorted() == ["b.txt"])
    }
  }

  /// A zone in which everything stays as it is staged.
  private static let staging = AreaRig.Options(isPaused: false, settings: { $0.staging.quiet = .seconds(3600) })

  // MARK: - Events

  @Test func `a payload that is renamed keeps its id, and nothing is withdrawn`() async throws {
    // The first scan of a new directory may find the payload there before its event is read.
    let options = AreaRig.Options(originals: { zone in
      try zone.appending("sub").makeDirectory()
      return []
    })
    try await AreaRig.with(options) { rig in
      try rig.path("Z/a.part").write("1")
      let before = try await rig.staged(1)
      try rig.rename("Z/a.part", to: "Z/sub/b.txt")
      let after = try await rig.status { $0.staged.first?.location == "sub/b.txt" }?.staged.first
      #expect(after?.id.description == before["a.part"])
      #expect(try rig.last == nil)
    }
  }

  @Test func `a directory that is renamed takes its payloads along, with their ids`() async throws {
    try await AreaRig.with { rig in
      for name in ["top", "top/low"] { try rig.path("Z/" + name).makeDirectory() }
      try rig.path("Z/top/low/a.txt").write("1")
      let before = try await rig.staged(1)
      try rig.rename("Z/top", to: "Z/other")
      let after = try await rig.status { $0.staged.first?.location == "other/low/a.txt" }?.staged.first
      #expect(after?.id.description == before["top/low/a.txt"])
      // What happens there later is seen, too.
      try rig.path("Z/other/low/b.txt").write("2")
      #expect(try await rig.staged(2).keys.sorted() == ["other/low/a.txt", "other/low/b.txt"])
    }
  }

  @Test func `the name of a directory counts for all below it`() async throws {
    try await AreaRig.with(Self.staging) { rig in
      try rig.path("Z/top").makeDirectory()
      try rig.path("Z/top/a.txt").write("1")
      _ = try await rig.status { $0.staged.count == 1 }
      try rig.rename("Z/top", to: "Z/.top")
      #expect(
        try await rig.status { $0.staged.first?.waiting == .temporaryName }?.staged.first?.location == ".top/a.txt")
      try rig.rename("Z/.top", to: "Z/@eaDir")
      #expect(try await rig.status { $0.staged.isEmpty } != nil)
      try rig.rename("Z/@eaDir", to: "Z/top")
      #expect(try await rig.status { $0.staged.count == 1 }?.staged.first?.location == "top/a.txt")
    }
  }

  @Test func `a payload that is removed is withdrawn, and its receipt says so`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/a.txt").write("12345")
      let id = try await rig.staged(1)["a.txt"]
      try rig.path("Z/a.txt").removeFile()
      let last = try await rig.status { $0.last != nil }?.last
      #expect(last?.outcome == .withdrawn && last?.id == id && last?.bytes == 5)
    }
  }

  @Test func `a directory that replaced one of its name is scanned`() async throws {
    try await AreaRig.with { rig in
      for name in ["one", "other"] { try rig.path("Z/" + name).makeDirectory() }
      try rig.path("Z/other/a.txt").write("1")
      #expect(try await rig.staged(1).keys.sorted() == ["other/a.txt"])
      try rig.path("Z/one").removeDirectory()
      try rig.rename("Z/other", to: "Z/one")
      try rig.path("Z/other").makeDirectory()
      try rig.path("Z/other/b.txt").write("2")
      #expect(try await rig.staged(2).keys.sorted() == ["one/a.txt", "other/b.txt"])
    }
  }
}
