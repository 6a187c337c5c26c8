import DropEngine
import DropZones
import Support
import Testing

/// Tests of the limits for content in memory.
@Suite struct LimitTests {
  @Test func `any representation can have a limit, which also applies to its proxy`() async throws {
    #expect(try await Note(importing: Array("12345".utf8)).text == "12345")
    let error = await #expect(throws: DropZoneError.self) { try await Note(importing: Array("123456".utf8)) }
    let reason = "6 B is more than the 5 B that may be read into memory"
    #expect(error?.description.hasSuffix(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `the default limit is 64 MiB, and a file of any size is passed on unread`() async throws {
    let scratch = try ScratchDirectory()
    let path = try scratch.file("hole", [])
    for (size, fits) in [(Int64(64 << 20), true), (64 << 20 + 1, false), (1 << 40, false)] {
      try await Program.run("/usr/bin/truncate", ["-s", .init("\(size)"), .init(path)])
      let bytes = DroppedFile(id: .init("1"), location: "hole", file: path, byteCount: size, type: .json)
      let outcome = try await Sum.imported(from: bytes, isOriginalFile: false)
      if case .imported = outcome { #expect(fits) } else { #expect(!fits, "\(outcome)") }
      let file = DroppedFile(id: .init("1"), location: "hole", file: path, byteCount: size, type: .pdf)
      guard case .imported = try await Paper.imported(from: file, isOriginalFile: false) else {
        throw Refusal("a file that nobody reads was too large")
      }
    }
  }

  private struct Sum: Transferable {
    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(importedContentType: .json) { _ in Sum() }
    }
  }

  @Test func `a dropped file is read completely or not at all`() throws {
    let scratch = try ScratchDirectory()
    let file = DroppedFile(
      id: .init("1"), location: "a", file: try scratch.file("a", [1, 2, 3]), byteCount: 3, type: .data)
    #expect(try file.contents(upTo: 3) == [1, 2, 3])
    let error = #expect(throws: DropZoneError.self) { try file.contents(upTo: 2) }
    #expect(error?.code == .tooLarge && error?.path == file.file)
    let directory = DroppedFile(id: .init("2"), location: "d", file: scratch.path, byteCount: 0, type: .directory)
    #expect(throws: DropZoneError.self) { try directory.contents(upTo: 9) }
  }
}
