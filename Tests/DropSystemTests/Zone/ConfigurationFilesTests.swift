import DropEngine
import DropSystem
import Glibc
import Support
import Testing

@Suite struct ConfigurationFilesTests {
  @Test func `names are sorted by their bytes`() throws {
    let scratch = try ScratchDirectory()
    for name in ["b", "a", "B", ".c", "10", "9", "ä"] { try scratch.file(name, []) }
    #expect(try ConfigurationFiles.names(in: RawPath(scratch.path)) == [".c", "10", "9", "B", "a", "b", "ä"])
    let (missing, file) = (RawPath(scratch.appending("none")), RawPath(scratch.appending("a")))
    #expect(throws: FileError(.noEntry, .open, missing)) { try ConfigurationFiles.names(in: missing) }
    #expect(throws: FileError(.notDirectory, .open, file)) { try ConfigurationFiles.names(in: file) }
  }

  @Test func `a file is read up to one byte beyond the limit`() throws {
    let scratch = try ScratchDirectory()
    let file = RawPath(try scratch.file("file", Array("0123456789".utf8)))
    #expect(try ConfigurationFiles.contents(of: file, limit: 100).count == 10)
    #expect(try ConfigurationFiles.contents(of: file, limit: 4).count == 5)
  }

  @Test func `a FIFO is refused without waiting`() throws {
    let scratch = try ScratchDirectory()
    let (fifo, directory) = (RawPath(scratch.appending("fifo")), RawPath(scratch.path))
    try #require(unsafe fifo.withCString { unsafe mkfifo($0, 0o600) } == 0)
    #expect(throws: FileError(.invalid, .open, fifo)) { try ConfigurationFiles.contents(of: fifo, limit: 10) }
    #expect(throws: FileError(.isDirectory, .open, directory)) {
      try ConfigurationFiles.contents(of: directory, limit: 10)
    }
  }

  @Test func `only executable files count as programs`() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.file("file", [])
    #expect(DropSystem.Executables.isExecutable("/bin/sh"))
    #expect(!DropSystem.Executables.isExecutable(file))
    #expect(!DropSystem.Executables.isExecutable(scratch.path))
    #expect(!DropSystem.Executables.isExecutable(scratch.appending("none")))
  }
}
