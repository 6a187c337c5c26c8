import DropEngine
import DropSystem
import Glibc
import Testing

/// Tests each rule for a renamed file and for a copy, which must have the same result.
@Suite(.enabled(if: geteuid() == 0, "owners can only be given away by root"))
struct FileMetadataTests {
  enum Way: CaseIterable { case rename, copy }

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  struct Outcome: Equatable {
    var owner: UInt32, group: UInt32, mode: String, warnings: [String] = []
  }

  /// Delivers a sender's file, owned by 1234:1235, under these rules.
  func deliver(
    _ way: Way, mode: UInt32, boxMode: UInt32 = 0o755, boxGroup: UInt32 = 0,
    prepare: (String) -> Void = { _ in }, rules change: (inout DeliveryRules) -> Void = { _ in }
  ) throws -> (outcome: Outcome, path: String) {
    var rules = DeliveryRules()
    change(&rules)
    let box = scratch("box")
    guard unsafe mkdir(box, 0o700) == 0, unsafe chown(box, 0, boxGroup) == 0, unsafe chmod(box, boxMode) == 0 else {
      throw Errno.last
    }
    let path = try scratch.file("file", Array("bytes".utf8))
    guard unsafe chown(path, 1234, 1235) == 0, unsafe chmod(path, mode) == 0 else { throw Errno.last }
    prepare(path)
    run(["touch", "-d", "2001-02-03 04:05:06.789012345 UTC", path])
    let boxFile = try FileDescriptor.open(RawPath(box), [.pathOnly, .directory])
    let source = try FileDescriptor.open(RawPath(path), .readOnly)
    let final = box + "/file"
    let warnings: [String]
    switch way {
    case .rename:
      let statuses = (box: try FileStatus.read(at: boxFile.number), source: try FileStatus.read(at: source.number))
      warnings = FileMetadata.apply(rules, of: statuses.box, to: source, as: statuses.source) ?? []
      guard unsafe rename(path, final) == 0 else { throw Errno.last }
    case .copy:
      let target = try FileDescriptor.open(RawPath(final), [.readWrite, .create, .exclusive])
      _ = try FileCopy.copy(from: source, to: target)
      warnings = FileMetadata.copy(from: source, to: target, rules, of: boxFile)
    }
    var status = stat()
    guard unsafe stat(final, &status) == 0 else { throw Errno.last }
    #expect(status.st_mtim.tv_sec == 981_173_106 && status.st_mtim.tv_nsec == 789_012_345)
    return (
      Outcome(
        owner: status.st_uid, group: status.st_gid, mode: String(status.st_mode & 0o7777, radix: 8),
        warnings: warnings), final
    )
  }

  func attribute(_ path: String, _ name: String, _ value: String) {
    run(["python3", "-c", "import os, sys; os.setxattr(*sys.argv[1:3], sys.argv[3].encode())", path, name, value])
  }

  @Test(arguments: Way.allCases)
  func `without rules, all metadata is the sender's, except for set-id bits`(way: Way) throws {
    #expect(try deliver(way, mode: 0o6754).outcome == Outcome(owner: 1234, group: 1235, mode: "754"))
  }

  @Test(arguments: Way.allCases)
  func `in a set-gid box, the group and its permissions are the box's, and the x bits are the sender's`(way: Way) throws
  {
    let kept = try deliver(way, mode: 0o604, boxMode: 0o2770, boxGroup: 4321).outcome
    #expect(kept == Outcome(owner: 1234, group: 4321, mode: "664"))
  }

  @Test(arguments: Way.allCases)
  func `a set-gid box that its group can only read gives no other permissions`(way: Way) throws {
    let kept = try deliver(way, mode: 0o2777, boxMode: 0o2750, boxGroup: 4321).outcome
    #expect(kept == Outcome(owner: 1234, group: 4321, mode: "757"))
  }

  @Test(arguments: Way.allCases)
  func `keep also applies in a set-gid box`(way: Way) throws {
    let kept = try deliver(
      way, mode: 0o604, boxMode: 0o2770, boxGroup: 4321,
      rules: {
        $0.group = .keep
        $0.permissions = .keep
      }
    ).outcome
    #expect(kept == Outcome(owner: 1234, group: 1235, mode: "604"))
  }

  @Test(arguments: Way.allCases)
  func `owner, group and permissions can be set`(way: Way) throws {
    let set = try deliver(
      way, mode: 0o4777,
      rules: {
        $0.owner = .named("nobody")
        $0.group = .named("4242")
        $0.permissions = .fixed(0o640)
      }
    ).outcome
    #expect(set == Outcome(owner: 65534, group: 4242, mode: "640"))
  }

  @Test(arguments: Way.allCases)
  func `daemon means the user that the daemon runs as`(way: Way) throws {
    let set = try deliver(
      way, mode: 0o600,
      rules: {
        $0.owner = .daemon
        $0.group = .daemon
      }
    ).outcome
    #expect(set == Outcome(owner: geteuid(), group: getegid(), mode: "600"))
  }

  @Test(arguments: Way.allCases)
  func `an unknown user causes a warning`(way: Way) throws {
    let set = try deliver(way, mode: 0o600, rules: { $0.owner = .named("no such\u{1B}") }).outcome
    #expect(
      set
        == Outcome(
          owner: 1234, group: 1235, mode: "600", warnings: [#"owner not set: there is no user 'no such\u{1B}'"#]))
  }

  @Test func `a file with another hard link is left unchanged`() throws {
    let other = scratch("other")
    let kept = try deliver(
      .rename, mode: 0o4755, prepare: { path in unsafe link(path, other) }, rules: { $0.owner = .daemon }
    ).outcome
    #expect(
      kept
        == Outcome(
          owner: 1234, group: 1235, mode: "4755",
          warnings: ["owner and permissions not changed: the file has another hard link"]))
  }

  @Test(arguments: Way.allCases)
  func `attributes and access control lists are kept`(way: Way) throws {
    let delivered = try deliver(
      way, mode: 0o640,
      prepare: { path in
        run(["setfacl", "-m", "u:77:r", path])
        attribute(path, "user.origin", "scanner")
      })
    #expect(delivered.outcome.warnings == [])
    #expect(run(["getfacl", "-cn", delivered.path]).output.contains("user:77:r--"))
    let value = run(["python3", "-c", "import os, sys; print(os.getxattr(sys.argv[1], 'user.origin'))", delivered.path])
    #expect(value.output == "b'scanner'\n")
  }

  @Test(arguments: Way.allCases)
  func `configured permissions replace an access control list`(way: Way) throws {
    let delivered = try deliver(
      way, mode: 0o640, prepare: { run(["setfacl", "-m", "u:77:rw", $0]) },
      rules: { $0.permissions = .fixed(0o640) })
    #expect(!run(["getfacl", "-cn", delivered.path]).output.contains("user:77"))
    #expect(delivered.outcome.mode == "640")
  }

  @Test func `a copy does not get the default access control list of its directory`() throws {
    let delivered = try deliver(
      .copy, mode: 0o640,
      prepare: { [scratch] _ in
        run(["setfacl", "-d", "-m", "u:77:rwx", scratch("box")])
      })
    #expect(!run(["getfacl", "-cn", delivered.path]).output.contains("user:77"))
  }

  @Test func `metadata that an ordinary user cannot set is reported, and the rest is set`() async throws {
    let path = try scratch.file("file", mode: 0o644)
    unsafe chown(path, 1234, 1235)
    unsafe chmod(scratch.path, 0o777)
    await #expect(processExitsWith: .success) { [path = path as String, directory = scratch.path as String] in
      let source = try FileDescriptor.open(RawPath(path), .readOnly)
      guard setgid(65534) == 0, setuid(65534) == 0 else { throw Errno.last }
      let target = try FileDescriptor.open(RawPath(directory + "/copy"), [.readWrite, .create, .exclusive])
      let box = try FileDescriptor.open(RawPath(directory), [.pathOnly, .directory])
      let warnings = FileMetadata.copy(from: source, to: target, DeliveryRules(), of: box)
      #expect(warnings == ["owner not kept: Operation not permitted", "group not kept: Operation not permitted"])
      let statuses = (box: try FileStatus.read(at: box.number), source: try FileStatus.read(at: source.number))
      #expect(FileMetadata.apply(DeliveryRules(), of: statuses.box, to: source, as: statuses.source) == nil)
    }
  }

  @Test(.enabled(if: LoopMount.isPossible, "mounting needs root"))
  func `attributes that the box does not support cause one warning`() throws {
    try LoopMount.with(.tmpfs, size: "1M") { mount in
      let path = try scratch.file("file")
      for number in 0..<5 { attribute(path, "user.a\(number)", "x") }
      let source = try FileDescriptor.open(RawPath(path), .readOnly)
      let target = try FileDescriptor.open(RawPath(mount + "/copy"), [.readWrite, .create])
      let box = try FileDescriptor.open(RawPath(mount), .readOnly)
      let warnings = FileMetadata.copy(from: source, to: target, DeliveryRules(), of: box)
      // Newer kernels support user attributes on tmpfs.
      #expect(warnings == [] || warnings == ["attribute 'user.a0' and 4 more not kept: Operation not supported"])
    }
  }
}
