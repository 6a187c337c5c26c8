import DropEngine
import DropSystem
import Glibc
import Support
import Testing

@Suite struct ConfigurationFilesTests {
  @Test func `names come sorted by their bytes`() throws {
    let scratch = try ScratchDirectory()
    for name in ["b", "a", "B", ".c", "10", "9", "ä"] { try scratch.file(name, []) }
    #expect(try ConfigurationFiles.names(in: RawPath(scratch.path)) == [".c", "10", "9", "B", "a", "b", "ä"])
    #expect(throws: Errno.noEntry) { try ConfigurationFiles.names(in: RawPath(scratch.appending("none"))) }
    #expect(throws: Errno.notDirectory) { try ConfigurationFiles.names(in: RawPath(scratch.appending("a"))) }
  }

  @Test func `a file is read to one byte over its limit`() throws {
    let scratch = try ScratchDirectory()
    let file = RawPath(try scratch.file("file", Array("0123456789".utf8)))
    #expect(try ConfigurationFiles.contents(of: file, limit: 100).count == 10)
    #expect(try ConfigurationFiles.contents(of: file, limit: 4).count == 5)
  }

  @Test func `a FIFO is refused and not waited for`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.appending("fifo")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    #expect(throws: Errno.invalid) { try ConfigurationFiles.contents(of: RawPath(path), limit: 10) }
    #expect(throws: Errno.isDirectory) { try ConfigurationFiles.contents(of: RawPath(scratch.path), limit: 10) }
  }

  @Test func `a program is a file that may be run`() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.file("file", [])
    #expect(DropSystem.Executables.isExecutable("/bin/sh"))
    #expect(!DropSystem.Executables.isExecutable(file))
    #expect(!DropSystem.Executables.isExecutable(scratch.path))
    #expect(!DropSystem.Executables.isExecutable(scratch.appending("none")))
  }
}
