import DropEngine
import DropSystem
import Glibc
import Testing

/// Tests of events from the kernel. They run one at a time, because the library has only one state.
@Suite(.watching) struct DirectoryWatcherTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func watch(_ path: String, _ watcher: inout DirectoryWatcher) throws -> Int32 {
    try watcher.watch(try Directory(path))
  }

  private func events(_ watcher: inout DirectoryWatcher) -> [WatchEvent] {
    var events: [WatchEvent] = []
    watcher.drain { events.append($0) }
    return events
  }

  /// Waits for at most half a minute.
  private func isReadable(_ watcher: borrowing DirectoryWatcher) -> Bool {
    var wait = pollfd(fd: watcher.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, 30_000) == 1
  }

  private func rename(_ old: String, _ new: String) throws {
    try Directory.working.rename(RawPath(scratch(old)), to: RawPath(scratch(new)), in: .working)
  }

  private func makeDirectory(_ name: String) throws {
    try Directory.working.makeDirectory(RawPath(scratch(name)), mode: 0o755)
  }

  @Test func `there are no events if nothing has happened`() throws {
    var watcher = try DirectoryWatcher()
    #expect(events(&watcher).isEmpty)
    _ = try watch(scratch.path, &watcher)
    #expect(events(&watcher).isEmpty)
    // Reading causes no event.
    _ = try FileDescriptor.open(RawPath(scratch.path), .readOnly)
    #expect(events(&watcher).isEmpty)
  }

  @Test func `creating, writing, closing and removing a file causes events in this order, with its name`() throws {
    var watcher = try DirectoryWatcher()
    let watch = try watch(scratch.path, &watcher)
    let name = RawPath(bytes: [0x61, 0xFF, 0x0A])
    do {
      let file = try Directory(scratch.path).open(name, [.writeOnly, .create], mode: 0o644)
      try file.write([1, 2, 3])
    }
    try Directory(scratch.path).unlink(name)
    let seen = events(&watcher)
    #expect(seen.map(\.kinds) == [.created, .modified, .closedAfterWrite, .deleted])
    #expect(seen.allSatisfy { $0.watch == watch && $0.name == name && $0.cookie == 0 })
    #expect(events(&watcher).isEmpty)
  }

  @Test func `both halves of a rename have the same cookie`() throws {
    _ = try scratch.file("a")
    var watcher = try DirectoryWatcher()
    _ = try watch(scratch.path, &watcher)
    try rename("a", "b")
    let seen = events(&watcher)
    #expect(seen.map(\.kinds) == [.movedFrom, .movedTo])
    #expect(seen.map(\.name) == ["a", "b"])
    #expect(seen.first?.cookie != 0)
    #expect(seen.first?.cookie == seen.last?.cookie)
  }

  @Test func `a directory that is created again under its name gets a new watch`() throws {
    var watcher = try DirectoryWatcher()
    var watches: Set<Int32> = []
    for round in 0..<5 {
      try makeDirectory("d")
      let watch = try watch(scratch("d"), &watcher)
      #expect(watches.insert(watch).inserted)
      _ = try scratch.file("d/\(round)")
      let seen = events(&watcher)
      #expect(seen.first?.kinds == .created)
      #expect(seen.first?.name == RawPath("\(round)"))
      #expect(seen.allSatisfy { $0.watch == watch })
      let path = scratch("d/\(round)")
      try Directory.working.unlink(RawPath(path))
      try Directory.working.removeDirectory(named: RawPath(scratch("d")))
      var end = events(&watcher)
      // The watch ends when the last process closes the directory, which may be a program that another test starts.
      while end.last?.kinds != .ended, isReadable(watcher) { end += events(&watcher) }
      #expect(end.map(\.kinds) == [.deleted, .deletedSelf, .ended])
      #expect(end.dropFirst().allSatisfy { $0.name.isEmpty && $0.watch == watch })
    }
  }

  @Test func `a directory under a new name keeps its watch`() throws {
    try makeDirectory("d")
    var watcher = try DirectoryWatcher()
    let watch = try watch(scratch("d"), &watcher)
    try rename("d", "e")
    #expect(events(&watcher).map(\.kinds) == [.movedSelf])
    #expect(try self.watch(scratch("e"), &watcher) == watch)
    _ = try scratch.file("e/x")
    #expect(events(&watcher).first?.watch == watch)
  }

  @Test func `a removed watch reports its end and then nothing`() throws {
    var watcher = try DirectoryWatcher()
    let watch = try watch(scratch.path, &watcher)
    watcher.unwatch(watch)
    _ = try scratch.file("a")
    #expect(events(&watcher).allSatisfy { $0.kinds == .ended })
    let again = try self.watch(scratch.path, &watcher)
    #expect(again != watch)
    _ = try scratch.file("b")
    #expect(events(&watcher).first?.watch == again)
  }

  @Test func `only a directory can be watched`() throws {
    let path = try scratch.file("a")
    var watcher = try DirectoryWatcher()
    #expect(throws: Errno.notDirectory) {
      try watcher.watch(Directory(try FileDescriptor.open(RawPath(path), .readOnly), path: RawPath(path)))
    }
    #expect(events(&watcher).isEmpty)
  }

  @Test func `lost events are reported, and later events arrive again`() throws {
    let limit = try FileDescriptor.open("/proc/sys/fs/inotify/max_queued_events", .readOnly).read(at: 0, count: 32)
    let most = try #require(Int(String(decoding: limit.prefix { $0 != 0x0A }, as: UTF8.self)))
    var watcher = try DirectoryWatcher()
    let watch = try watch(scratch.path, &watcher)
    let directory = try Directory(scratch.path)
    // There are at least two events per iteration: creation and removal.
    for _ in 0...most / 2 {
      _ = try directory.open("a", [.writeOnly, .create], mode: 0o644)
      try directory.unlink("a")
    }
    let seen = events(&watcher)
    #expect(seen.count == most + 1)
    #expect(seen.last?.kinds == .overflow)
    #expect(seen.last?.watch == -1)
    _ = try scratch.file("b")
    let after = events(&watcher)
    #expect(after.first?.kinds == .created)
    #expect(after.allSatisfy { $0.watch == watch && $0.name == "b" })
  }

  @Test func `the kernel's queue is closed in executed programs, and when the watcher ends`() throws {
    let number: Int32
    do {
      let watcher = try DirectoryWatcher()
      number = watcher.descriptor
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
    // Another test may use the number by now, but no other test has such a queue.
    var target = [UInt8](repeating: 0, count: 32)
    let length = unsafe readlink("/proc/self/fd/\(number)", &target, target.count)
    #expect(!target.prefix(max(0, length)).elementsEqual("anon_inode:inotify".utf8))
  }
}
