import DropZones
import Support
import Synchronization
import Testing

/// Tests of reading payloads as values, without a daemon.
@Suite struct ImportTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func file(
    _ name: String, _ content: String, type: ContentType, claimed: ContentType? = nil,
    grade: ContentType.Grade = .proved
  ) throws -> DroppedFile {
    let bytes = Array(content.utf8)
    let path = try scratch.file(name, bytes)
    return DroppedFile(
      id: DroppedFile.ID("7"), location: DropPath(name), file: path, byteCount: Int64(bytes.count), type: type,
      claimedType: claimed, grade: grade)
  }

  @Test func `each type of content is read by its own representation`() async throws {
    #expect(try await Paper(importing: Array(#"{"title":"a","pages":3}"#.utf8), contentType: .json).pages == 3)
    #expect(try await Paper(importing: [1, 2], contentType: .html).title == "page of 2 bytes")
    #expect(try await Paper(importing: Array("letter".utf8), contentType: .commaSeparatedText).title == "letter")
    #expect(Paper.importedContentTypes() == [.json, .html, .pdf, .text])
    #expect(Paper.exportedContentTypes() == [.json, .text])
    #expect(Anything.importedContentTypes() == [.image, .archive] && Anything.exportedContentTypes().isEmpty)
  }

  @Test func `the first representation that succeeds is used, in the declared order`() async throws {
    Either.asked.withLock { $0 = [] }
    // JSON is text too.
    #expect(try await Either(importing: Array("first second".utf8), contentType: .json).way == "first")
    #expect(try await Either(importing: Array("second".utf8), contentType: .json).way == "second")
    #expect(try await Either(importing: Array("second".utf8), contentType: .text).way == "second")
    #expect(Either.asked.withLock { $0 } == ["first", "first", "second", "second"])
  }

  @Test func `each representation that failed gives a reason in one line`() async throws {
    let outcome = try await Either.imported(
      from: try file("a.json", "neither", type: .json), isOriginalFile: false)
    guard case .failed(let reasons) = outcome else { throw Refusal("\(outcome)") }
    #expect(
      reasons == [
        "DataRepresentation: no first in it\\u{A}\\u{1B}[31m", "DataRepresentation: no second in it\\u{A}\\u{1B}[31m",
      ])
    let error = await #expect(throws: DropZoneError.self) {
      try await Either(importing: Array("neither".utf8), contentType: .text)
    }
    #expect(error?.code == .notImported)
    #expect(error?.description == "Either cannot be read: DataRepresentation: no second in it\\u{A}\\u{1B}[31m")
  }

  @Test(arguments: [
    (#"{"id":1}"#, "'title' is missing"), (#"{"id":1,"title":2}"#, "'title' is not of type String"),
    (#"{"id":1,"title":"a","tags":["b",2]}"#, "'tags.1' is not of type String"),
    (#"{"id":null}"#, "'id' is null"), ("[]", "it is not of type"), ("{", "not valid JSON"),
  ])
  func `errors in JSON are described in a few words`(json: String, words: String) async throws {
    let error = await #expect(throws: DropZoneError.self) {
      try await Card(importing: Array(json.utf8), contentType: .card)
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `content that fits no representation is left to other destinations`() async throws {
    let picture = try file("a.png", "x", type: .png)
    #expect(!Paper.takes(picture) && Anything.takes(picture) && DroppedFile.takes(picture))
    guard case .failed([]) = try await Paper.imported(from: picture, isOriginalFile: false) else {
      throw Refusal("a picture became a paper")
    }
    let error = await #expect(throws: DropZoneError.self) { try await Paper(importing: [1], contentType: .png) }
    #expect(error?.description == "Paper cannot be read from image/png")
  }

  @Test func `if an import throws a verdict, that is the verdict, and no other representation is tried`() async throws {
    let outcome = try await Paper.imported(
      from: try file("a.html", String(repeating: "x", count: 1_001), type: .html), isOriginalFile: false)
    guard case .verdict(let verdict) = outcome else { throw Refusal("\(outcome)") }
    #expect(verdict == .notYet("the archivist is away"))
    await #expect(throws: DropVerdict.notYet("the archivist is away")) {
      try await Paper(importing: Array(repeating: 0, count: 2_000), contentType: .html)
    }
  }

  @Test func `a file is the original if the zone copies, and belongs to the receiver if it moves`() async throws {
    let pdf = try file("a.pdf", "%PDF-1.7", type: .pdf)
    for isOriginal in [true, false] {
      guard case .imported(let paper) = try await Paper.imported(from: pdf, isOriginalFile: isOriginal) else {
        throw Refusal("no paper")
      }
      #expect(paper == Paper(title: pdf.file, pages: isOriginal ? 0 : 1))
    }
    #expect(try await Paper(importingFile: pdf.file, contentType: .pdf).pages == 0)
  }

  @Test func `for a representation that needs a file, bytes become a temporary file`() async throws {
    let paper = try await Paper(importing: Array("%PDF-1.7".utf8), contentType: .pdf)
    #expect(paper.title.hasSuffix(".pdf") && paper.pages == 1)
    #expect(throws: (any Error).self) { try ScratchDirectory.content(of: paper.title) }
  }

  @Test func `a payload that is gone counts as unreadable, not as failed`() async throws {
    let gone = DroppedFile(
      id: DroppedFile.ID("7"), location: "a.json", file: scratch.appending("gone"), byteCount: 1, type: .json)
    guard case .unreadable(let error) = try await Paper.imported(from: gone, isOriginalFile: false) else {
      throw Refusal("it was read")
    }
    #expect(error.code == .unreadable && error.path == gone.file && error.errno == 2)
  }

  @Test func `the name counts only if the content says nothing`() async throws {
    let unproved = try file("a.html", "x", type: .data, claimed: .html, grade: .unproved)
    let contradicted = try file("b.html", "x", type: .png, claimed: .html, grade: .contradicted)
    #expect(Paper.takes(unproved) && !Paper.takes(contradicted))
    guard case .imported = try await Paper.imported(from: unproved, isOriginalFile: false) else {
      throw Refusal("the claim was not followed")
    }
  }

  @Test func `without a type, every representation is tried for bytes`() async throws {
    #expect(try await Paper(importing: Array(#"{"title":"a","pages":3}"#.utf8)).pages == 3)
    #expect(try await Paper(importing: Array("letter".utf8)).title == "page of 6 bytes")
  }

  @Test func `without a type, a file has the type that a zone would determine`() async throws {
    let picture = try scratch.file(
      "letter.txt", [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + Array(repeating: 0, count: 64))
    let error = await #expect(throws: DropZoneError.self) { try await Paper(importingFile: picture) }
    #expect(error?.description == "Paper cannot be read from image/png")
    let json = try scratch.file("b", Array(#"{"title":"a","pages":3}"#.utf8))
    #expect(try await Paper(importingFile: json).pages == 3)
    let missing = await #expect(throws: DropZoneError.self) { try await Paper(importingFile: "/nonexistent/x") }
    #expect(missing?.code == .unreadable && missing?.errno == 2)
  }

  @Test func `an import that was cancelled has not failed`() async throws {
    let pdf = try file("a.json", "{}", type: .json)
    let task = Task { try await Sleeper.imported(from: pdf, isOriginalFile: false) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  private struct Sleeper: Transferable {
    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(importedContentType: .json) { _ in
        try await Task.sleep(for: .seconds(60))
        return Sleeper()
      }
    }
  }
}
