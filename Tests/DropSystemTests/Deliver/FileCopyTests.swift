import DropEngine
import DropSystem
import Glibc
import Testing

@Suite struct FileCopyTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  func reader(_ path: String) throws -> FileDescriptor { try FileDescriptor.open(RawPath(path), .readOnly) }

  func fresh(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(RawPath(path), [.readWrite, .create, .exclusive])
  }

  func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    }
  }

  func sha256sum(_ path: String) -> String { String(run(["sha256sum", path]).output.prefix(64)) }

  func isSame(_ a: String, _ b: String) -> Bool { run(["cmp", a, b]).status == .exited(0) }

  func blocks(_ path: String) throws -> Int {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Errno.last }
    return Int(status.st_blocks)
  }

  @Test(arguments: [0, 1, 4095, 262_144, 1_000_001, 20_000_000], [FileCopy.DigestMode.never, .ifPassing, .always])
  func `a copy has the content of its source, and the digest is correct`(size: Int, digest: FileCopy.DigestMode) throws
  {
    let source = try scratch.file("source", noise(size))
    let target = try fresh(scratch("target"))
    let result = try FileCopy.copy(from: reader(source), to: target, digest: digest)
    #expect(result.bytes == Int64(size))
    #expect(isSame(source, scratch("target")))
    if digest == .never { #expect(result.digest == nil) }
    if !result.cloned, digest != .never { #expect(result.digest == sha256sum(source)) }
  }

  @Test(arguments: [FileCopy.DigestMode.never, .ifPassing])
  func `holes stay holes, at the beginning, in the middle and at the end`(digest: FileCopy.DigestMode) throws {
    let source = scratch("source")
    run([
      "sh", "-c",
      "truncate -s 64M \(source); for at in 8 30; do dd if=/dev/urandom of=\(source) bs=1M count=2 seek=$at conv=notrunc; done",
    ])
    let target = try fresh(scratch("target"))
    let result = try FileCopy.copy(from: reader(source), to: target, digest: digest)
    #expect(result.bytes == 64 << 20)
    #expect(isSame(source, scratch("target")))
    #expect(try blocks(scratch("target")) <= blocks(source) + 64)
    if digest == .ifPassing, !result.cloned { #expect(result.digest == sha256sum(source)) }
  }

  @Test func `a file that is a single hole is copied without writing data`() throws {
    run(["truncate", "-s", "1G", scratch("source")])
    let target = try fresh(scratch("target"))
    #expect(try FileCopy.copy(from: reader(scratch("source")), to: target, digest: .never).bytes == 1 << 30)
    #expect(try blocks(scratch("target")) == 0)
  }

  @Test func `a source that is shorter than its size makes the copy fail`() throws {
    // sysfs reports a size of 4096 for a file of two bytes.
    let source = try reader("/sys/kernel/fscaps")
    let target = try fresh(scratch("target"))
    #expect(throws: FileCopy.Failure.changed(size: 4096)) { try FileCopy.copy(from: source, to: target) }
    #expect(throws: FileCopy.Failure.changed(size: 4096)) {
      try FileCopy.copy(from: source, to: target, digest: .never)
    }
  }

  @Test func `a failure says whether the source or the target caused it`() throws {
    let path = try scratch.file("source", noise(100_000))
    let other = try scratch.file("other")
    let unreadable = try FileDescriptor.open(RawPath(path), .writeOnly)
    #expect(throws: FileCopy.Failure.source(Errno(EBADF))) {
      try FileCopy.copy(from: unreadable, to: fresh(scratch("a")))
    }
    #expect(throws: FileCopy.Failure.target(Errno(EBADF))) { try FileCopy.copy(from: reader(path), to: reader(other)) }
    #expect(throws: FileCopy.Failure.source(.isDirectory)) {
      try FileCopy.copy(from: reader(scratch.path), to: fresh(scratch("b")))
    }
  }

  @Test(.enabled(if: LoopMount.isPossible, "mounting needs root"), arguments: [FileCopy.DigestMode.never, .ifPassing])
  func `a full box is a failure of the target`(digest: FileCopy.DigestMode) throws {
    let source = try scratch.file("source", noise(3_000_000))
    try LoopMount.with(.tmpfs, size: "1M") { small in
      let target = try fresh(small + "/target")
      #expect(throws: FileCopy.Failure.target(.noSpace)) {
        try FileCopy.copy(from: reader(source), to: target, digest: digest)
      }
    }
  }

  @Test func `a cancelled copy stops between two chunks`() async throws {
    run(["truncate", "-s", "1T", scratch("source")])
    let cancellation = Cancellation()
    let task = Task { [scratch] in
      let source = try FileDescriptor.open(RawPath(scratch("source")), .readOnly)
      let target = try FileDescriptor.open(RawPath(scratch("target")), [.readWrite, .create, .exclusive])
      return try FileCopy.copy(from: source, to: target, cancellation: cancellation)
    }
    cancellation.cancel()
    await #expect(throws: FileCopy.Failure.cancelled) { try await task.value }
  }

  @Test(.enabled(if: LoopMount.isPossible, "mounting needs root"), arguments: [LoopMount.Kind.xfs, .btrfs])
  func `if blocks can be shared nothing is copied, and there is a digest if it was requested`(
    kind: LoopMount.Kind
  ) throws {
    try LoopMount.with(kind) { mount in
      let bytes = noise(3_000_000)
      let made = try FileDescriptor.open(RawPath(mount + "/source"), [.writeOnly, .create])
      try made.write(bytes)
      let source = try reader(mount + "/source")
      let first = try FileCopy.copy(from: source, to: fresh(mount + "/first"))
      #expect(first == FileCopy.Result(bytes: 3_000_000, digest: nil, cloned: true))
      let second = try FileCopy.copy(from: source, to: fresh(mount + "/second"), digest: .always)
      #expect(second == FileCopy.Result(bytes: 3_000_000, digest: sha256sum(mount + "/source"), cloned: true))
      #expect(isSame(mount + "/source", mount + "/second"))
    }
  }

  @Test(.enabled(if: LoopMount.isPossible, "mounting needs root"), arguments: [FileCopy.DigestMode.never, .ifPassing])
  func `between file systems, the data is copied`(digest: FileCopy.DigestMode) throws {
    try LoopMount.with(.xfs) { from in
      try LoopMount.with(.btrfs) { to in
        let made = try FileDescriptor.open(RawPath(from + "/source"), [.writeOnly, .create])
        try made.write(noise(9_000_000))
        let result = try FileCopy.copy(from: reader(from + "/source"), to: fresh(to + "/target"), digest: digest)
        #expect(!result.cloned)
        #expect(isSame(from + "/source", to + "/target"))
      }
    }
  }
}

@Suite struct DigestTests {
  @Test func `the digest is standard SHA-256`() throws {
    var digest = try Digest.begin()
    digest.update(Array("a".utf8))
    digest.update([])
    digest.update(Array("bc".utf8))
    #expect(digest.finish() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(try Digest.begin().finish() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `a file is read from its beginning, whatever the offset of the descriptor is`() throws {
    let scratch = try Scratch()
    let path = try scratch.file("abc", Array("abc".utf8))
    let file = try FileDescriptor.open(RawPath(path), .readOnly)
    lseek(file.number, 2, SEEK_SET)
    #expect(try Digest.sha256(of: file) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(lseek(file.number, 0, SEEK_CUR) == 2)
  }

  @Test func `a file that cannot be read has no digest`() throws {
    let scratch = try Scratch()
    let directory = try FileDescriptor.open(RawPath(scratch.path), .readOnly)
    #expect(throws: Errno.isDirectory) { try Digest.sha256(of: directory) }
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: Errno(ECANCELED)) { try Digest.sha256(of: directory, cancellation: cancellation) }
  }
}
