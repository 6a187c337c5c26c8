import Testing

@testable import DropSystem

@Suite struct KeyFileTests {
  private func parse(_ text: String) throws(KeyFileErrors) -> KeyFile {
    try KeyFile(parsing: Array(text.utf8))
  }

  @Test func `groups and keys have their lines, and values are trimmed`() throws {
    let file = try parse("# first\n\n  [One] \n a = b c \t\nB=\\s x;y\\;z\n[Two]\n\n[Three]\nlast=1")
    #expect(file.groups.map(\.name) == ["One", "Two", "Three"])
    #expect(file.groups.map(\.line) == [3, 6, 8])
    #expect(
      file.groups.first?.entries == [
        KeyFile.Entry(key: "a", value: "b c", line: 4), KeyFile.Entry(key: "B", value: "\\s x;y\\;z", line: 5),
      ])
    #expect(file.groups.last?.entries == [KeyFile.Entry(key: "last", value: "1", line: 9)])
  }

  @Test(arguments: ["", "\n", "# nothing\n", "   \n\t\n"])
  func `a file without groups is empty`(text: String) throws {
    #expect(try parse(text).groups == [])
  }

  @Test func `a translated key is seen, whatever the locale`() throws {
    #expect(try parse("[A]\nk[xx]=1\nk=2").groups.first?.entries.map(\.key) == ["k[xx]", "k"])
  }

  @Test func `a value may contain separators`() throws {
    #expect(try parse("[A]\nk=a=b#c[d]").groups.first?.entries.first?.value == "a=b#c[d]")
  }

  @Test(
    arguments: [
      ("[A]\nk=1\nk=2", 3, "'k' is already in line 2"),
      ("[A]\n[B]\n[A]", 3, "the group '[A]' is already in line 1"),
      ("k=1", 1, "'k' comes before the first group, such as '[Zone]'"),
      ("[A]\nk", 2, "'k' is neither a group nor KEY=VALUE"),
      ("[A]\n; k", 2, "comments begin with '#'"),
      ("[]", 1, "'[]' is not a group; write its name in brackets, such as '[Zone]'"),
      ("[A]]", 1, "'[A]]' is not a group; write its name in brackets, such as '[Zone]'"),
      ("[A] k=1", 1, "'[A] k=1' is not a group; write its name in brackets, such as '[Zone]'"),
      ("[A]\r\n", 1, "the line ends with CR LF; save the file with LF line endings"),
      ("[A]\nk=\0", 2, "the line contains a zero byte; this is not a text file"),
      ("\u{FEFF}[A]", 1, "the file begins with a byte order mark; save it as UTF-8 without one"),
      ("[A]\nk\u{1B}[1m=1", 2, "'k\\u{1B}[1m' is not a valid key"),
    ] as [(String, Int, String)])
  func `an error gives its line`(text: String, line: Int, message: String) {
    #expect(throws: KeyFileErrors(line: line, message)) { try parse(text) }
  }

  @Test func `all errors are reported at once, up to a limit`() {
    let error = #expect(throws: KeyFileErrors.self) { try parse(String(repeating: "x\n", count: 1000)) }
    #expect(error?.problems.map(\.line) == Array(1...20))
  }

  @Test func `the error for invalid UTF-8 gives the line`() {
    #expect(throws: KeyFileErrors(line: 2, "the line is not valid UTF-8")) {
      try KeyFile(parsing: Array("[A]\nk=".utf8) + [0xC3, 0x28])
    }
    #expect(throws: KeyFileErrors(line: 1, "the file is UTF-16; save it as UTF-8")) {
      try KeyFile(parsing: [0xFF, 0xFE, 0x5B, 0x00])
    }
  }

  @Test func `a file of one mebibyte is read, and a larger one is refused`() throws {
    let limit = KeyFile.sizeLimit
    let text = "[A]\nk=" + String(repeating: "v", count: limit - 6)
    #expect(try parse(text).groups.first?.entries.first?.value.utf8.count == limit - 6)
    #expect(throws: KeyFileErrors(line: nil, "the file is longer than 1048576 bytes")) { try parse(text + "v") }
  }

  @Test func `random bytes are either read or refused`() {
    var random = Counted()
    let pieces = ["[", "]", "=", "\n", "A", "k", " ", "\\", ";", "#", "\t", "\u{B}", "[A]\n", "é", "@", "."]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      do throws(KeyFileErrors) {
        _ = try parse(text)
      } catch {
        #expect(!error.problems.isEmpty)
        // GLib must accept everything that our own scan accepts.
        #expect(error.problems.allSatisfy { $0.line != nil }, "\(text.debugDescription): \(error.problems)")
      }
    }
  }
}

/// A generator with the same numbers in every run (SplitMix64).
private struct Counted: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
