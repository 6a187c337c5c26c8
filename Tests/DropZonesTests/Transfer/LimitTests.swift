import DropEngine
import DropZones
import Support
import Testing

/// What is read into memory, and what is not.
@Suite struct LimitTests {
  @Test func `a limit is said on any way, and holds for what it goes through`() async throws {
    #expect(try await Note(importing: Array("12345".utf8)).text == "12345")
    let error = await #expect(throws: DropZoneError.self) { try await Note(importing: Array("123456".utf8)) }
    let reason = "6 B are more than the 5 B that may be read into memory"
    #expect(error?.description.hasSuffix(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `64 MiB are read unless another limit is said, and a file of any size is passed on unread`() async throws {
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

  @Test func `a dropped file is read whole or not at all`() throws {
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
