/// Determines whether text is JSON, and in which form.
///
/// It goes through the text once, with a stack instead of recursion, so that deep nesting costs no more than its bytes.
package enum JSONCheck: Hashable, Sendable {
  /// A single object or array, which can only be JSON.
  case document
  /// A single string, number, `true`, `false` or `null`, which is JSON only if the name says so.
  case scalar
  /// Several values, one per line.
  case lines

  /// Checks `text`, which is the whole file if `isWhole` is true, and otherwise may end anywhere.
  package init?(_ text: some Collection<UInt8>, isWhole: Bool) {
    var parser = Parser(text: TextScanner(text))
    guard parser.run(), isWhole ? parser.isComplete : true, parser.values > 0 || !parser.stack.isEmpty else {
      return nil
    }
    let begun = parser.values + (parser.stack.isEmpty ? 0 : 1)
    if begun > 1 {
      guard parser.hasOnlyContainers else { return nil }
      self = .lines
    } else {
      self = parser.hasOnlyContainers ? .document : .scalar
    }
  }

  private struct Parser {
    var text: TextScanner
    /// True for an object, false for an array.
    var stack: [Bool] = []
    /// The number of complete values on the outermost level.
    var values = 0
    var hasOnlyContainers = true
    private var expects = Expected.value

    private enum Expected { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd }
    private enum Token { case whole, cut, wrong }

    init(text: TextScanner) {
      self.text = text
    }

    var isComplete: Bool { stack.isEmpty && values > 0 }

    /// Parses up to the end; returns false if something is not JSON.
    mutating func run() -> Bool {
      while true {
        let lineEnded = skipSpace()
        guard let byte = text.peek else { return true }
        if stack.isEmpty, values > 0 {
          guard lineEnded else { return false }
          expects = .value
        }
        switch step(byte) {
        case .whole: continue
        case .cut: return true
        case .wrong: return false
        }
      }
    }

    private mutating func skipSpace() -> Bool {
      var lineEnded = false
      while let byte = text.peek, byte.isSpace {
        lineEnded = lineEnded || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        _ = text.next()
      }
      return lineEnded
    }

    private mutating func step(_ byte: UInt8) -> Token {
      switch (expects, byte) {
      case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
        expects = .colon
        return string()
      case (.keyOrEnd, UInt8(ascii: "}")):
        return close(object: true)
      case (.valueOrEnd, UInt8(ascii: "]")):
        return close(object: false)
      case (.value, _), (.valueOrEnd, _):
        return value(byte)
      case (.colon, UInt8(ascii: ":")):
        _ = text.next()
        expects = .value
        return .whole
      case (.commaOrEnd, UInt8(ascii: ",")):
        _ = text.next()
        expects = stack.last == true ? .key : .value
        return .whole
      case (.commaOrEnd, UInt8(ascii: "}")):
        return close(object: true)
      case (.commaOrEnd, UInt8(ascii: "]")):
        return close(object: false)
      default:
        return .wrong
      }
    }

    private mutating func value(_ byte: UInt8) -> Token {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        _ = text.next()
        stack.append(byte == UInt8(ascii: "{"))
        expects = stack.last == true ? .keyOrEnd : .valueOrEnd
        return .whole
      }
      let token: Token
      switch byte {
      case UInt8(ascii: "\""): token = string()
      case UInt8(ascii: "t"): token = literal("true")
      case UInt8(ascii: "f"): token = literal("false")
      case UInt8(ascii: "n"): token = literal("null")
      default: token = number()
      }
      if stack.isEmpty { hasOnlyContainers = false }
      if token == .whole { complete() }
      return token
    }

    private mutating func complete() {
      if stack.isEmpty { values += 1 }
      expects = .commaOrEnd
    }

    private mutating func close(object: Bool) -> Token {
      guard stack.popLast() == object else { return .wrong }
      _ = text.next()
      complete()
      return .whole
    }

    private mutating func string() -> Token {
      _ = text.next()
      while let byte = text.next() {
        switch byte {
        case UInt8(ascii: "\""): return .whole
        case 0..<0x20: return .wrong
        case UInt8(ascii: "\\"):
          guard let escape = text.next() else { return .cut }
          if escape == UInt8(ascii: "u") {
            for _ in 0..<4 {
              guard let digit = text.next() else { return .cut }
              guard digit.isHexDigit else { return .wrong }
            }
          } else if !"\"\\/bfnrt".utf8.contains(escape) {
            return .wrong
          }
        default: continue
        }
      }
      return .cut
    }

    private mutating func literal(_ word: StaticString) -> Token {
      for expected in word.description.utf8 {
        guard let byte = text.next() else { return .cut }
        guard byte == expected else { return .wrong }
      }
      return .whole
    }

    private mutating func number() -> Token {
      if text.peek == UInt8(ascii: "-") { _ = text.next() }
      guard let first = text.peek else { return .cut }
      guard first.isDigit else { return .wrong }
      _ = text.next()
      if first != UInt8(ascii: "0") { skipDigits() }
      if text.peek == .dot {
        _ = text.next()
        guard skipDigits() else { return text.isAtEnd ? .cut : .wrong }
      }
      if text.peek?.lowercased == UInt8(ascii: "e") {
        _ = text.next()
        if text.peek == UInt8(ascii: "+") || text.peek == UInt8(ascii: "-") { _ = text.next() }
        guard skipDigits() else { return text.isAtEnd ? .cut : .wrong }
      }
      return .whole
    }

    @discardableResult
    private mutating func skipDigits() -> Bool {
      var any = false
      while let byte = text.peek, byte.isDigit {
        _ = text.next()
        any = true
      }
      return any
    }
  }
}
