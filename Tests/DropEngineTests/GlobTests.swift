import Testing

@testable import DropEngine

@Suite struct GlobTests {
  @Test(
    arguments: [
      ("*.part", ["a.part", ".part", "A.PART", "a.b.part"], ["part", "a.parts", "a.part "]),
      ("Thumbs.db", ["thumbs.db", "THUMBS.DB"], ["Thumbs.db2", "aThumbs.db", "Thumbs.d"]),
      ("~$*", ["~$", "~$a.docx"], ["a~$", "~a"]),
      (".~lock.*#", [".~lock.a.odt#", ".~lock.#"], [".~lock.a.odt", ".~lock#"]),
      ("a?c", ["abc", "AxC", "a?c", "a\u{7F}c"], ["ac", "abbc", "aäc"]),
      ("[a-c]x", ["ax", "Bx", "cX"], ["dx", "x", "aax"]),
      ("[!a-c]x", ["dx", "-x"], ["ax", "Ax", "x"]),
      ("[^a]x", ["bx"], ["ax"]),
      ("[]x]", ["]", "x", "X"], ["[", "]x"]),
      ("[!]]", ["a"], ["]"]),
      ("[a-]", ["a", "-"], ["b"]),
      ("[\\]\\-\\\\]", ["]", "-", "\\"], ["a"]),
      ("\\*\\?\\[a]", ["*?[a]"], ["x?[a]", "*x[a]"]),
      ("\\\\*", ["\\", "\\a"], ["a"]),
      ("a*b*c", ["abc", "aXbYc", "abbcc", "ABCBC"], ["ab", "acb", "abcd"]),
      ("*a*b", ["ab", "aab", "xaxb", "abab"], ["ba", "b"]),
      ("*ab*", ["ab", "aab", "xabx"], ["a b", ""]),
      ("**x**", ["x", "axb"], ["y"]),
      ("?*", ["a", "ab"], [""]),
      ("ä*", ["ä", "äb"], ["a", "Ä"]),
      ("Z", ["z", "Z"], ["["]),
    ] as [(String, [String], [String])])
  func `a pattern matches only whole names`(pattern: String, yes: [String], no: [String]) throws {
    let glob = try Glob(pattern)
    for name in yes { #expect(glob.matches(RawPath(name)), "\(pattern) should match \(name)") }
    for name in no { #expect(!glob.matches(RawPath(name)), "\(pattern) should not match \(name)") }
  }

  @Test func `bytes that are not valid text match like any others`() throws {
    let name = RawPath(bytes: [0xFF, 0xFE, 0x0A, 0x1B] + Array(".PART".utf8))
    #expect(try Glob("*.part").matches(name))
    #expect(try Glob("????.part").matches(name))
    #expect(try Glob("[!a]*.part").matches(name))
    #expect(try Glob("[a-z]*").matches(name) == false)
    // Case is ignored only for ASCII letters: Ä and ä in Latin-1 are different bytes.
    #expect(try Glob("\u{E4}").matches(RawPath(bytes: [0xC4])) == false)
  }

  @Test(arguments: ["*a*a*a*a*b", "*a*a*a*a*a*a*a*a?b", "*aaaaaaaaaaaaaaaab*", "*[a]*[a]*[a]*b"])
  func `many stars and a long name take little time`(pattern: String) throws {
    let glob = try Glob(pattern)
    let name = RawPath(bytes: [UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
    let time = ContinuousClock().measure { #expect(!glob.matches(name)) }
    // A matcher that tries every split would need 10^19 steps here. The limit only distinguishes the two.
    #expect(time < .seconds(10))
  }

  @Test(arguments: ["*", "**", "?*", "*?", "*?*", "[!/]*", "*[!/]"])
  func `a pattern knows whether it matches every name`(pattern: String) throws {
    #expect(try Glob(pattern).matchesEverything)
  }

  @Test(arguments: [".*", "*.*", "??*", "?", "[!a]*", "a", "\\*", "*a", "a*", "[*]", "[\u{1}-\u{7F}]*"])
  func `a pattern that excludes a single name does not match everything`(pattern: String) throws {
    #expect(try Glob(pattern).matchesEverything == false)
  }

  @Test(arguments: [
    ("", GlobError.empty), ("a/b", .slash), ("a\\/b", .slash), ("a\\", .endsInBackslash), ("[", .openSet),
    ("[]", .openSet), ("[!]", .openSet), ("[a-", .openSet), ("[a\\", .openSet), ("[[:alpha:]]", .namedSet),
    ("[ä]", .notASCIIInSet), ("[z-a]", .reversedRange(UInt8(ascii: "z"), UInt8(ascii: "a"))),
  ])
  func `an invalid pattern is refused`(pattern: String, error: GlobError) {
    #expect(throws: error) { try Glob(pattern) }
  }
}
