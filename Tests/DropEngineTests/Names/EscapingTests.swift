import DropEngine
import Testing

@Suite struct EscapingTests {
  @Test(arguments: [
    ("a\nb.pdf", #"a\u{A}b.pdf"#), ("two  spaces.pdf", "two  spaces.pdf"), ("trail ", "trail "), (" lead", " lead"),
    ("tab\tx", #"tab\u{9}x"#), ("z,7", "z,7"), ("it's", "it's"), ("$(touch pwned)", "$(touch pwned)"),
    ("%s%n", "%s%n"), (#"back\slash"#, #"back\slash"#), ("*", "*"),
  ])
  func `awkward names are shown completely, on one line`(name: String, shown: String) {
    #expect(Escaping.escape(name) == shown)
    #expect(unescape(shown) == Array(name.utf8))
  }

  @Test(arguments: [
    ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{7F}\u{9B}", #"\u{7F}\u{9B}"#), ("a\u{202E}gpj.exe", #"a\u{202E}gpj.exe"#),
    ("\u{2066}x\u{2069}", #"\u{2066}x\u{2069}"#), ("\u{200E}\u{200F}\u{61C}", #"\u{200E}\u{200F}\u{61C}"#),
    ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\u{FEFF}", #"\u{FEFF}"#), ("\0", #"\u{0}"#),
  ])
  func `characters that could control a terminal are shown as numbers`(text: String, shown: String) {
    #expect(Escaping.escape(text) == shown)
  }

  @Test(arguments: ["ü", "u\u{308}", "日本語", "👩‍👩‍👧", "\u{FFFD}", "עברית"])
  func `other characters are shown unchanged`(text: String) {
    #expect(Array(Escaping.escape(text).utf8) == Array(text.utf8))
  }

  @Test(
    arguments: [
      ([0xFF], #"\xFF"#), ([0x80], #"\x80"#), ([0xC3], #"\xC3"#), ([0xC3, 0x41], #"\xC3A"#),
      ([0xC0, 0x8A], #"\xC0\x8A"#),
      ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#), ([0xF4, 0x90, 0x80, 0x80], #"\xF4\x90\x80\x80"#),
      ([0xE2, 0x82, 0xE2, 0x82, 0xAC], #"\xE2\x82€"#), ([0xE0, 0x80, 0x8A], #"\xE0\x80\x8A"#),
    ] as [([UInt8], String)])
  func `bytes that are not valid text are shown as numbers`(bytes: [UInt8], shown: String) {
    #expect(Escaping.escape(bytes) == shown)
  }

  @Test(arguments: [
    (#"\x41"#, #"\x5Cx41"#), (#"\u{41}"#, #"\x5Cu{41}"#), (#"\\"#, #"\\"#), (#"\\x"#, #"\\x5Cx"#), (#"\n"#, #"\n"#),
    (#"a\"#, #"a\"#),
  ])
  func `a backslash is escaped if it would look like an escape`(text: String, shown: String) {
    #expect(Escaping.escape(text) == shown)
    #expect(unescape(shown) == Array(text.utf8))
  }

  @Test func `the original bytes can be recovered, and the result is safe to display`() {
    let pieces: [[UInt8]] = [
      [0x5C], [0x78], [0x75], [0x7B], [0x7D], [0x41], [0x0A], [0xFF], [0xC3], [0xA9], [0xE2, 0x80, 0xAE], [0xE2],
      [0x80],
      [0xF0, 0x9F, 0x98, 0x80],
    ]
    // All sequences of up to four pieces.
    var sequences: [[UInt8]] = [[]]
    for _ in 0..<4 { sequences = [[]] + sequences.flatMap { start in pieces.map { start + $0 } } }
    for bytes in sequences {
      let shown = Escaping.escape(bytes)
      if unescape(shown) != bytes || shown.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x202E }) {
        Issue.record("\(bytes) is shown as \(shown)")
      }
    }
  }

  /// Reverses the escaping: `\xNN` and `\u{N}` are escapes, and any other backslash is literal.
  private func unescape(_ shown: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(shown.utf8)[...]
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x") {
        bytes.append(UInt8(text(rest.dropFirst().prefix(2)), radix: 16) ?? 0)
        rest = rest.dropFirst(3)
      } else if first == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u") {
        let digits = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") }
        let scalar = UInt32(text(digits), radix: 16).flatMap { Unicode.Scalar($0) }
        bytes += scalar.map { Array(String(Character($0)).utf8) } ?? []
        rest = rest.dropFirst(3 + digits.count)
      } else {
        bytes.append(first)
      }
    }
    return bytes
  }
}
