import DropEngine
import Testing

@Suite struct FreeNameTests {
  @Test(arguments: [
    ("a.zip", 0, "a.zip"), ("a.zip", 1, "a.1.zip"), ("a.zip", 12, "a.12.zip"), ("a", 3, "a.3"),
    ("a.tar.gz", 1, "a.tar.1.gz"), (".hidden", 1, ".hidden.1"), (".hidden.txt", 1, ".hidden.1.txt"),
    ("a.", 1, "a.1."), ("a.1.zip", 1, "a.1.1.zip"), ("two  spaces", 2, "two  spaces.2"),
  ])
  func `the number comes before the extension`(name: RawPath, number: Int, expected: RawPath) {
    #expect(FreeName.candidate(name, number: number) == expected)
  }

  @Test func `bytes that are not valid text stay unchanged`() {
    #expect(FreeName.candidate(RawPath(bytes: [0xFF, 0x2E, 0xFE]), number: 1).bytes == [0xFF, 0x2E, 0x31, 0x2E, 0xFE])
  }

  @Test func `a name with just enough room keeps its stem`() {
    let stem = String(repeating: "x", count: 249)
    #expect(FreeName.candidate(RawPath(stem + ".zip"), number: 1) == RawPath(stem + ".1.zip"))
  }

  @Test(arguments: [0, 1, 99, 1_000_000], [0, 12])
  func `the stem of a long name is truncated to the available room`(number: Int, reserve: Int) {
    let name = RawPath(String(repeating: "x", count: 251) + ".zip")
    let candidate = FreeName.candidate(name, number: number, reserve: reserve)
    #expect(candidate.bytes.count == 255 - reserve)
    #expect(candidate.fileExtension == "zip")
    #expect(candidate.description.hasSuffix(number == 0 ? "x.zip" : "x.\(number).zip"))
  }

  @Test(arguments: ["é", "€", "😀"], 0..<8)
  func `a name is truncated between characters`(character: String, shift: Int) {
    let name = RawPath(String(repeating: "x", count: shift) + String(repeating: character, count: 255) + ".txt")
    for number in 0...2 {
      let candidate = FreeName.candidate(name, number: number)
      #expect(candidate.string != nil)
      #expect((252...255).contains(candidate.bytes.count))
      #expect(candidate.fileExtension == "txt")
    }
  }

  @Test(arguments: 0...2)
  func `an extension that leaves no room is truncated like a name, and no name exceeds the limit`(number: Int) {
    let name = RawPath("a." + String(repeating: "e", count: 300))
    #expect(FreeName.candidate(name, number: number).bytes.count == 255)
    #expect(FreeName.candidate(name, number: number, limit: 4, reserve: 4).bytes.isEmpty)
  }

  @Test(arguments: [249, 250, 251, 252, 253, 300])
  func `names with a long extension also have numbers`(length: Int) {
    let name = RawPath("a." + String(repeating: "e", count: length))
    let candidates = (0...1000).map { FreeName.candidate(name, number: $0) }
    #expect(Set(candidates).count == 1001)
    #expect(candidates.allSatisfy { $0.bytes.count <= 255 })
  }

  @Test(arguments: [0, 1, 5, 15, 16, 17, 100, 100_000], [0, 3])
  func `the end of many existing numbers is found with few checks`(taken: Int, first: Int) {
    var looks = 0
    let free = FreeName.firstFree(from: first) { number in
      looks += 1
      return number < first + taken
    }
    #expect(free == first + taken)
    #expect(looks <= 50)
  }

  @Test func `the returned number is free, even if there are gaps`() {
    let taken = Set(0..<40).union(100..<5000).union([80, 90])
    #expect(!taken.contains(FreeName.firstFree(from: 0) { taken.contains($0) }))
  }
}
