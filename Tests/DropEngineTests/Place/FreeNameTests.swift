import DropEngine
import Testing

@Suite struct FreeNameTests {
  @Test(arguments: [
    ("a.zip", 0, "a.zip"), ("a.zip", 1, "a.1.zip"), ("a.zip", 12, "a.12.zip"), ("a", 3, "a.3"),
    ("a.tar.gz", 1, "a.tar.1.gz"), (".hidden", 1, ".hidden.1"), (".hidden.txt", 1, ".hidden.1.txt"),
    ("a.", 1, "a.1."), ("a.1.zip", 1, "a.1.1.zip"), ("two  spaces", 2, "two  spaces.2"),
  ])
  func `the number stands before the extension`(name: RawPath, number: Int, expected: RawPath) {
    #expect(FreeName.candidate(name, number: number) == expected)
  }

  @Test func `bytes that are no text stay as they are`() {
    #expect(FreeName.candidate(RawPath(bytes: [0xFF, 0x2E, 0xFE]), number: 1).bytes == [0xFF, 0x2E, 0x31, 0x2E, 0xFE])
  }

  @Test func `a name that has just room keeps its stem`() {
    let stem = String(repeating: "x", count: 249)
    #expect(FreeName.candidate(RawPath(stem + ".zip"), number: 1) == RawPath(stem + ".1.zip"))
  }

  @Test(arguments: [0, 1, 99, 1_000_000], [0, 12])
  func `a long name is cut in its stem to what there is room for`(number: Int, reserve: Int) {
    let name = RawPath(String(repeating: "x", count: 251) + ".zip")
    let candidate = FreeName.candidate(name, number: number, reserve: reserve)
    #expect(candidate.bytes.count == 255 - reserve)
    #expect(candidate.fileExtension == "zip")
    #expect(candidate.description.hasSuffix(number == 0 ? "x.zip" : "x.\(number).zip"))
  }

  @Test(arguments: ["é", "€", "😀"], 0..<8)
  func `a name is cut between characters`(character: String, shift: Int) {
    let name = RawPath(String(repeating: "x", count: shift) + String(repeating: character, count: 255) + ".txt")
    for number in 0...2 {
      let candidate = FreeName.candidate(name, number: number)
      #expect(candidate.string != nil)
      #expect((252...255).contains(candidate.bytes.count))
      #expect(candidate.fileExtension == "txt")
    }
  }

  @Test(arguments: 0...2)
  func `an extension that leaves no room is cut like a name, and nothing is longer than the limit`(number: Int) {
    let name = RawPath("a." + String(repeating: "e", count: 300))
    #expect(FreeName.candidate(name, number: number).bytes.count == 255)
    #expect(FreeName.candidate(name, number: number, limit: 4, reserve: 4).bytes.isEmpty)
  }
}
