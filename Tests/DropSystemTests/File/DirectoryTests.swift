import DropEngine
import DropSystem
import Glibc
import Support
import Testing

@Suite struct DirectoryTests {
  let scratch: Scratch
  let directory: Directory

  init() throws {
    scratch = try Scratch()
    directory = try Directory(scratch.path)
  }

  var path: RawPath { RawPath(scratch.path) }

  /// What `body` throws.
  func error(_ body: () throws(FileError) -> Void) -> FileError? {
    do throws(FileError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: - Opening

  @Test func `a directory is opened through a link, unless links are refused`() throws {
    #expect(unsafe symlink(scratch.path, scratch("link")) == 0)
    let link = path.appending("link")
    #expect(try Directory(link).status().identity == directory.status().identity)
    #expect(error { () throws(FileError) in _ = try Directory(link, noFollow: true) }?.errno == .notDirectory)
    #expect(try Directory(scratch.path, noFollow: true).status().identity == directory.status().identity)
  }

  @Test func `a directory below is opened without following links and without leaving the directory`() throws {
    try directory.makeDirectory("a", mode: 0o755)
    try directory.directory(named: "a").makeDirectory("b", mode: 0o755)
    #expect(unsafe symlink("a", scratch("link")) == 0)
    let below = try directory.directory(at: "a/b")
    #expect(below.path == path.appending("a/b"))
    #expect(try below.status().identity == directory.directory(named: "a").status(of: "b").identity)
    #expect(try directory.directory(at: "").status().identity == directory.status().identity)
    #expect(error { () throws(FileError) in _ = try directory.directory(at: "link/b") }?.errno == .loop)
    #expect(error { () throws(FileError) in _ = try directory.directory(at: "a/../..") }?.errno == .crossDevice)
    #expect(error { () throws(FileError) in _ = try directory.directory(named: "link") }?.errno == .notDirectory)
  }

  @Test func `the working directory takes whole paths, and shows them as they were written`() throws {
    try Directory.working.makeDirectory(path.appending("new"), mode: 0o755)
    #expect(try Directory.working.status(of: path.appending("new")).kind == .directory)
    let missing = path.appending("missing/new")
    let refused = error { () throws(FileError) in try Directory.working.makeDirectory(missing, mode: 0o755) }
    #expect(refused == FileError(.noEntry, .makeDirectory, missing))
  }

  // MARK: - Files

  @Test func `a file is created, written, synced and read`() throws {
    let file = try directory.open("a", [.create, .exclusive, .readWrite], mode: 0o640)
    try file.write(Array("content".utf8))
    try file.sync()
    #expect(try file.read(at: 3, count: 100) == Array("tent".utf8))
    let status = try file.status()
    #expect(status.size == 7 && status.mode == 0o640)
    #expect(file.path == path.appending("a"))
    #expect(try file.reopened(.readOnly).read(at: 0, count: 1) == [UInt8(ascii: "c")])
  }

  @Test func `only a regular file is opened as one`() throws {
    try scratch.file("file", [1, 2, 3])
    try directory.makeDirectory("directory", mode: 0o755)
    #expect(unsafe mkfifo(scratch("fifo"), 0o644) == 0)
    #expect(unsafe symlink("file", scratch("link")) == 0)
    let opened = try #require(try directory.openRegular(named: "file"))
    #expect(opened.status.size == 3)
    #expect(try opened.file.read(at: 0, count: 10) == [1, 2, 3])
    for name: RawPath in ["directory", "fifo", "link"] {
      #expect(try directory.openRegular(named: name) == nil, "\(name)")
      #expect(try directory.openRegular(at: name) == nil, "\(name)")
    }
    let missing = error { () throws(FileError) in _ = try directory.openRegular(named: "missing") }
    #expect(missing == FileError(.noEntry, .open, path.appending("missing")))
  }

  @Test func `a regular file below is opened without following links`() throws {
    try directory.makeDirectory("a", mode: 0o755)
    try scratch.file("a/file", [1])
    #expect(unsafe symlink("a", scratch("link")) == 0)
    #expect(try directory.openRegular(at: "a/file")?.file.path == path.appending("a/file"))
    #expect(error { () throws(FileError) in _ = try directory.openRegular(at: "link/file") }?.errno == .loop)
  }

  @Test func `a budget counts files while there is room, and has room again once they are closed`() throws {
    try scratch.file("file", [1])
    let budget = OpenFileBudget(limit: 1)
    var first = try directory.openRegular(named: "file", budget: budget)?.file
    #expect(first?.isCounted == true)
    #expect(try directory.openRegular(named: "file", budget: budget)?.file.isCounted == false)
    first = nil
    #expect(try directory.openRegular(named: "file", budget: budget)?.file.isCounted == true)
  }

  @Test func `a file without a name gets one`() throws {
    let file = try directory.openUnnamed(.writeOnly)
    #expect(directory.isEmpty)
    try directory.link(file, as: "named")
    #expect(try directory.status(of: "named").identity == file.status().identity)
    let taken = error { () throws(FileError) in try directory.link(file, as: "named") }
    #expect(taken == FileError(.exists, .link, path.appending("named")))
  }

  @Test func `a lease shows who has a file open for writing`() throws {
    try scratch.file("file", [1])
    let file = try #require(try directory.openRegular(named: "file")).file
    #expect(!file.hasWriter())
    #expect(file.takeLease() == .granted)
    #expect(file.isLeaseIntact)
    file.returnLease()
    #expect(!file.isLeaseIntact)
    let writer = try directory.open("file", .writeOnly)
    #expect(file.hasWriter())
    #expect(file.takeLease() == .writer)
    _ = writer
  }

  // MARK: - Status

  @Test func `a name is inspected, and a link is not followed`() throws {
    #expect(unsafe symlink("missing", scratch("link")) == 0)
    #expect(try directory.status(of: "link").kind == .symbolicLink)
    #expect(try directory.status(of: "link", fresh: true).kind == .symbolicLink)
    #expect(try directory.status(at: "link").kind == .symbolicLink)
    #expect(directory.has("link"))
  }

  @Test func `a name that nothing has is an answer where that was the question, and an error elsewhere`() throws {
    try scratch.file("file", [1])
    #expect(try directory.statusIfPresent(of: "missing") == nil)
    #expect(try directory.statusIfPresent(of: "file/below") == nil)
    #expect(try directory.statusIfPresent(of: "file")?.size == 1)
    #expect(!directory.has("missing"))
    #expect(
      error { () throws(FileError) in _ = try directory.status(of: "missing") }
        == FileError(.noEntry, .stat, path.appending("missing")))
    let long = RawPath(String(repeating: "a", count: 300))
    #expect(error { () throws(FileError) in _ = try directory.statusIfPresent(of: long) }?.errno == .nameTooLong)
  }

  @Test func `the file system is described`() throws {
    #expect(directory.nameLimit == 255)
    #expect(try #require(directory.freeRoom).bytes > 0)
    #expect(try Directory("/dev/shm").fileSystemKind.name == "tmpfs")
  }

  @Test func `a directory that can be written to says so`() throws {
    #expect(directory.isWritable)
    try directory.checkWritable()
  }

  @Test(.enabled(if: Machine.canMount))
  func `a directory that cannot be written to says so`() throws {
    let place = scratch("mount")
    try directory.makeDirectory("mount", mode: 0o755)
    #expect(run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", place]).status == .exited(0))
    defer { run(["umount", "-l", place]) }
    let mounted = try directory.directory(named: "mount")
    #expect(!mounted.isWritable)
    let refused = error { () throws(FileError) in try mounted.checkWritable() }
    #expect(refused == FileError(.readOnly, .access, path.appending("mount")))
  }

  // MARK: - Names

  @Test func `a rename replaces only when told to`() throws {
    try directory.makeDirectory("to", mode: 0o755)
    let target = try directory.directory(named: "to")
    try scratch.file("a", [1])
    try scratch.file("to/b", [1, 2])
    let taken = FileError(.exists, .rename, path.appending("a"), to: path.appending("to/b"))
    #expect(error { () throws(FileError) in try directory.rename("a", to: "b", in: target) } == taken)
    #expect(
      error { () throws(FileError) in try directory.renameReplacingNothing("a", to: "b", in: target) } == taken)
    #expect(error { () throws(FileError) in try directory.renameToOwn("a", to: "b", in: target) } == taken)
    try directory.rename("a", to: "b", in: target, replacing: true)
    #expect(try target.status(of: "b").size == 1)
    try target.renameReplacingNothing("b", to: "c", in: directory)
    try directory.renameToOwn("c", to: "d", in: directory)
    #expect(try directory.names().sorted() == ["d", "to"])
  }

  @Test func `a file gets a second name and loses it`() throws {
    try scratch.file("a", [1])
    try directory.link("a", to: "b", in: directory)
    #expect(try directory.status(of: "a").links == 2)
    try directory.unlink("b")
    #expect(try directory.status(of: "a").links == 1)
    let gone = error { () throws(FileError) in try directory.unlink("b") }
    #expect(gone == FileError(.noEntry, .unlink, path.appending("b")))
  }

  @Test func `only an empty directory is removed`() throws {
    try directory.makeDirectory("a", mode: 0o755)
    try scratch.file("a/file", [1])
    let full = error { () throws(FileError) in try directory.removeDirectory(named: "a") }
    #expect(full == FileError(.notEmpty, .removeDirectory, path.appending("a")))
    try directory.directory(named: "a").unlink("file")
    try directory.removeDirectory(named: "a")
    #expect(directory.isEmpty)
  }

  @Test func `a rename is proved by doing it, and leaves nothing behind`() throws {
    try directory.makeDirectory("to", mode: 0o755)
    let target = try directory.directory(named: "to")
    try directory.proveRename(to: target)
    #expect(target.isEmpty)
    let elsewhere = try Scratch(below: "/dev/shm")
    let other = try Directory(elsewhere.path)
    let refused = error { () throws(FileError) in try directory.proveRename(to: other) }
    #expect(refused == FileError(.crossDevice, .rename, path, to: RawPath(elsewhere.path)))
    #expect(try directory.names() == ["to"] && other.isEmpty)
  }

  @Test func `a directory that was made gets the mode and group of another`() throws {
    try directory.makeDirectory("a", mode: 0o700)
    let status = try directory.status()
    try directory.adopt(group: status.group, mode: 0o2775, of: "a")
    let adopted = try directory.status(of: "a")
    #expect(adopted.mode == 0o2775 && adopted.group == status.group)
  }

  @Test func `names are synced, also those of a directory that is gone where that does not matter`() throws {
    try directory.sync()
    try directory.makeDirectory("a", mode: 0o755)
    let gone = try directory.directory(named: "a")
    try directory.removeDirectory(named: "a")
    try gone.syncWherePossible()
  }

  // MARK: - Listing

  @Test(arguments: [false, true])
  func `a directory is listed as often as asked, and says which names are directories`(forListing: Bool) throws {
    try directory.makeDirectory("a", mode: 0o755)
    let listed = try directory.directory(named: "a", forListing: forListing)
    #expect(listed.isEmpty)
    try listed.makeDirectory("inner", mode: 0o755)
    for number in 0..<2000 { try scratch.file("a/\(number)", []) }
    var listing = try listed.listing()
    var directories: [RawPath] = []
    var files: Set<RawPath> = []
    while let name = try listing.next() {
      if listing.isDirectory { directories.append(name) } else { files.insert(name) }
    }
    #expect(directories == ["inner"] && files.count == 2000)
    #expect(try listed.names().count == 2001)
    #expect(!listed.isEmpty)
  }

  // MARK: - Errors

  @Test func `an error says what failed, where and why`() {
    let error = FileError(.access, .rename, "/srv/in/a.pdf", to: "/srv/box/a.pdf")
    #expect(error.description == "cannot rename '/srv/in/a.pdf' to '/srv/box/a.pdf': Permission denied")
    #expect(FileError(.noSpace, .sync, "/srv/box").description == "cannot sync '/srv/box': No space left on device")
  }

  @Test func `an error escapes a name that could steer a terminal`() {
    let refused = error { () throws(FileError) in try directory.unlink("a\nb") }
    #expect(refused?.path == path.appending("a\nb"))
    #expect(refused?.description == #"cannot remove '\#(scratch.path)/a\u{A}b': No such file or directory"#)
  }
}
