import Testing

@testable import DropEngine

@Suite struct SpellingTests {
  @Test(arguments: [
    ("Titel", "Title"), ("title", "Title"), ("Quite", "Quiet"), ("EmptyGarce", "EmptyGrace"), ("Hnt", "Hint"),
  ])
  func `a slip finds the word that was meant`(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, among: ["Path", "Title", "Hint", "Quiet", "EmptyGrace"]) == meant)
  }

  @Test(arguments: ["", "Zebra", "T", String(repeating: "Title", count: 200_000)])
  func `what resembles nothing finds nothing`(typed: String) {
    #expect(Spelling.nearest(to: typed, among: ["Path", "Title", "Hint", "Quiet"]) == nil)
  }

  @Test(arguments: [("", "", 0), ("", "ab", 2), ("abc", "abc", 0), ("ab", "ba", 1), ("kitten", "sitting", 3)])
  func `the distance counts slips`(a: String, b: String, distance: Int) {
    #expect(Spelling.distance(Array(a.utf8), Array(b.utf8)) == distance)
  }
}
