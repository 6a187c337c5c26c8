import DropZones
import Support
import Testing

@Suite struct ExportTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a representation that writes the type itself takes precedence over one that writes a subtype`()
    async throws
  {
    #expect(text(try await Paper(title: "a").exported(as: .text)) == "a")
  }

  @Test func `the first representation that writes the type or a subtype is used`() async throws {
    let paper = Paper(title: "a", pages: 2)
    #expect(try await Paper(importing: paper.exported(as: .json)) == paper)
    #expect(try await Paper(importing: paper.exported(as: .data)) == paper)
    let error = await #expect(throws: DropZoneError.self) { try await paper.exported(as: .pdf) }
    #expect(error?.code == .notExported && error?.description == "Paper cannot be written as application/pdf")
  }

  @Test func `a representation whose condition is false is skipped`() async throws {
    let book = Paper(title: "book", pages: 100)
    #expect(text(try await book.exported(as: .data)) == "book")
    await #expect(throws: DropZoneError.self) { try await book.exported(as: .json) }
  }

  @Test func `the last suggested name applies to every representation`() async throws {
    #expect(Note(text: "n").suggestedFileName == "n.note")
    #expect(Note(text: "").suggestedFileName == "first.txt")
    #expect(Paper(title: "a").suggestedFileName == nil)
  }

  @Test func `a value is written under the suggested name, with an extension and a number if needed`()
    async throws
  {
    let scratch = try ScratchDirectory()
    let note = Note(text: "hello")
    #expect(try await note.write(as: .html, into: scratch.path) == scratch.appending("hello.note.html"))
    #expect(try await note.write(as: .html, into: scratch.path) == scratch.appending("hello.note.1.html"))
    #expect(try await Note(text: "").write(as: .text, into: scratch.path) == scratch.appending("first.txt"))
    #expect(try await Paper(title: "a").write(as: .json, into: scratch.path) == scratch.appending("Paper.json"))
    #expect(text(try ScratchDirectory.content(of: scratch.appending("hello.note.html"))) == "<p>hello</p>")
    #expect(
      try ScratchDirectory.names(in: scratch.path) == [
        "Paper.json", "first.txt", "hello.note.1.html", "hello.note.html",
      ])
  }

  @Test func `a name that leads elsewhere, or a missing directory, is an error`() async throws {
    let scratch = try ScratchDirectory()
    for text in ["../x", "a/b", String(repeating: "x", count: 300)] {
      let error = await #expect(throws: DropZoneError.self) {
        try await Note(text: text).write(as: .html, into: scratch.path)
      }
      #expect(error?.code == .notExported)
    }
    let error = await #expect(throws: DropZoneError.self) {
      try await Note(text: "a").write(as: .html, into: scratch.appending("none"))
    }
    #expect(error?.code == .unwritable && error?.errno == 2)
  }

  @Test func `a file is passed on unchanged`() async throws {
    let scratch = try ScratchDirectory()
    let path = try scratch.file("a.bin", [1, 2, 3])
    let file = try await DroppedFile(importingFile: path)
    #expect(file.file == path && file.byteCount == 3 && file.location == "a.bin" && file.attempt == 1)
    #expect(try await file.exported(as: .data) == [1, 2, 3])
    await #expect(throws: DropZoneError.self) { try await DroppedFile(importing: [1]) }
    let place = try scratch.directory("place")
    #expect(try await file.write(as: .data, into: place) == place + "/a.bin")
    #expect(try ScratchDirectory.content(of: place + "/a.bin") == [1, 2, 3])
  }

  @Test func `text of any type can be read, as long as it is UTF-8`() async throws {
    #expect(try await String(importing: Array("grün".utf8), contentType: .commaSeparatedText) == "grün")
    await #expect(throws: DropZoneError.self) { try await String(importing: [0xFF], contentType: .text) }
    await #expect(throws: DropZoneError.self) { try await String(importing: [0x61], contentType: .png) }
    #expect(try await "grün".exported(as: .utf8PlainText) == Array("grün".utf8))
  }
}
