import Testing

@testable import DropEngine

@Suite struct SpellingTests {
  @Test(arguments: [
    ("Titel", "Title"), ("title", "Title"), ("Quite", "Quiet"), ("EmptyGarce", "EmptyGrace"), ("Hnt", "Hint"),
  ])
  func `the correction for a typo is found`(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, among: ["Path", "Title", "Hint", "Quiet", "EmptyGrace"]) == meant)
  }

  @Test(arguments: ["", "Zebra", "T", String(repeating: "Title", count: 200_000)])
  func `there is no correction for an unknown word`(typed: String) {
    #expect(Spelling.nearest(to: typed, among: ["Path", "Title", "Hint", "Quiet"]) == nil)
  }

  @Test(arguments: [("", "", 0), ("", "ab", 2), ("abc", "abc", 0), ("ab", "ba", 1), ("kitten", "sitting", 3)])
  func `the distance is the number of typos`(a: String, b: String, distance: Int) {
    #expect(Spelling.distance(Array(a.utf8), Array(b.utf8)) == distance)
  }
}
