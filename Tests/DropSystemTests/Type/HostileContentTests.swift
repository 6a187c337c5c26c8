import DropEngine
import DropSystem
import Testing

/// Tests of content that was made to break programs that examine it.
@Suite struct HostileContentTests {
  @Test func `an empty file is proved to be empty`() throws {
    let typed = try Typing.type([], named: "a.txt")
    #expect(typed == TypedContent(type: "application/x-zerosize", claimedType: "text/plain", grade: .proved))
  }

  @Test func `a zip that is truncated anywhere has a type, and is not a document`() throws {
    let whole = ZipFile.bytes("[Content_Types].xml", "word/document.xml", "mimetype")
    for count in 1..<whole.count {
      let typed = try Typing.type(Array(whole.prefix(count)), named: "a.docx")
      #expect(typed.grade == .contradicted || typed.grade == .unproved)
    }
  }

  @Test func `a zip with any changed byte has a type`() throws {
    let whole = ZipFile.bytes("[Content_Types].xml", "mimetype", "word/document.xml", comment: [1, 2, 3])
    for index in whole.indices {
      for value in [UInt8(0), 0x7F, 0xFF] {
        var bytes = whole
        bytes[index] = value
        _ = try Typing.type(bytes, named: "a.docx")
      }
    }
  }

  @Test func `the directory of a zip is found despite a long comment and data before the zip`() throws {
    let commented = ZipFile.bytes(
      "[Content_Types].xml", "word/document.xml", comment: .init(repeating: 0x20, count: 65_535))
    #expect(try Typing.type(commented, named: "a.docx").grade == .proved)
    let before = [UInt8]("PK\u{3}\u{4}") + .zeros(60) + ZipFile.bytes("[Content_Types].xml", "word/document.xml")
    #expect(try Typing.type(before, named: "a.docx").grade == .proved)
  }

  @Test func `the directory of a zip with many members is read up to the limit`() throws {
    let members = (0..<40_000).map { ("folder/\($0).txt", [UInt8]()) }
    let started = ContinuousClock.now
    let typed = try Typing.type(ZipFile.bytes(members: members), named: "a.docx")
    #expect(typed.type == "application/zip" && typed.grade == .contradicted)
    #expect(ContinuousClock.now - started < .seconds(20))
  }

  @Test func `a cyclic list of streams is tolerated`() throws {
    var bytes = CompoundFile.bytes("a", "b", "WordDocument")
    // The right neighbour of the second stream is the first, its left neighbour is itself, and its child is the root.
    let second = 512 + 2 * 128
    bytes.replaceSubrange((second + 68)..<(second + 80), with: [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(try Typing.type(bytes, named: "a.doc").grade == .contradicted)
    for offset in [30, 31, 48, 49, 50, 51, 512 + 64, 512 + 76, 512 + 77, 512 + 79] {
      var bytes = CompoundFile.bytes("WordDocument")
      bytes[offset] = 0xFF
      _ = try Typing.type(bytes, named: "a.doc")
    }
  }

  @Test(arguments: ["[", "{\"a\":", "<a>", "<!--", "<!DOCTYPE a [", "<?", "\"", "a:", "\\u", ",", "((("])
  func `the cost of depth and repetition is linear`(piece: String) throws {
    let bytes = [UInt8](String(repeating: piece, count: 200_000 / piece.utf8.count))
    let started = ContinuousClock.now
    for name: RawPath in ["a.json", "a.xml", "a.csv", "a.eml", "a.html"] { _ = try Typing.type(bytes, named: name) }
    #expect(ContinuousClock.now - started < .seconds(20))
  }

  @Test func `every single byte, and every pair with a signature, has a type`() throws {
    for byte in UInt8.min...UInt8.max {
      _ = try Typing.type([byte], named: "a.csv")
      _ = try Typing.type([0xFF, 0xFE, byte], named: "a.json")
      _ = try Typing.type([0xEF, 0xBB, 0xBF, byte], named: "a.xml")
    }
  }

  @Test func `many threads get the same answers as one`() async throws {
    let contents = Array(RenameAttackTests.contents.values)
    let alone = try contents.map { try Typing.type($0, named: "a.docx") }
    try await withThrowingTaskGroup(of: [TypedContent].self) { group in
      for _ in 0..<16 {
        group.addTask { try contents.map { try Typing.type($0, named: "a.docx") } }
      }
      for try await answers in group { #expect(answers == alone) }
    }
  }
}
