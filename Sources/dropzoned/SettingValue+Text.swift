internal import DropEngine

extension SettingValue {
  /// Parses text for display, with the escapes of key files (`\s` for a space, `\\` for a backslash). Rejects control characters.
  func text() throws(BadValue) -> String {
    var text: [UInt8] = []
    var rest = Array(raw.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "s"): text.append(0x20)
      case UInt8(ascii: "\\"): text.append(byte)
      case UInt8(ascii: ";"): text.append(UInt8(ascii: ";"))
      case let other:
        let shown = other.map { Escaping.escape([$0]) } ?? ""
        throw BadValue("has the unknown escape '\\\(shown)'; write '\\\\' for a backslash")
      }
    }
    guard text.count <= 4095 else { throw BadValue("is longer than 4095 bytes") }
    guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw BadValue("contains a control character") }
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses an absolute path, and removes redundant slashes and dots.
  func path() throws(BadValue) -> String {
    let text = try text()
    guard text.hasPrefix("/") else {
      throw BadValue(
        text.hasPrefix("~")
          ? "is not absolute: '~' is not expanded; write the full path, beginning with '/'"
          : "is not absolute; write the full path, beginning with '/'")
    }
    let parts = text.split(separator: "/").filter { $0 != "." }
    guard !parts.contains("..") else { throw BadValue("contains '..'; write the path without it") }
    if let long = parts.first(where: { $0.utf8.count > 255 }) {
      throw BadValue("has a component of \(long.utf8.count) bytes; the limit is 255")
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Parses the suffix of marker files.
  func marker() throws(BadValue) -> String {
    let text = try text()
    guard !text.contains("/") else { throw BadValue("is not the ending of a name, because it contains '/'") }
    guard text.utf8.count <= 32 else { throw BadValue("is longer than 32 bytes") }
    guard let first = text.first, ".-_".contains(first), text.utf8.count > 1 else {
      throw BadValue(
        "must begin with '.', '-' or '_', followed by at least one character", nearest: nearestMarker(text))
    }
    return text
  }

  private func nearestMarker(_ text: String) -> String? {
    let word = text.drop { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return word.isEmpty ? nil : "." + word
  }

  /// Parses a colour: a name or `#rrggbb`.
  func tint() throws(BadValue) -> String {
    let word = raw.lowercased()
    let names = ["blue", "red", "orange", "yellow", "green", "teal", "purple", "pink", "gray"]
    if names.contains(word) { return word }
    let digits = word.utf8.dropFirst()
    let isHex = digits.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
    if word.utf8.first == UInt8(ascii: "#"), digits.count == 6, isHex { return word }
    throw BadValue(
      "is not a colour; write \(Self.alternatives(names + ["#rrggbb"]))",
      nearest: Spelling.nearest(to: word, among: names)
    )
  }

  func owner() throws(BadValue) -> DeliveryRules.Ownership {
    switch raw {
    case "keep": return .keep
    case "daemon": return .daemon
    default:
      guard context.isUser(raw) else {
        throw BadValue(
          "is not 'keep', 'daemon' or a user on this machine",
          nearest: Spelling.nearest(to: raw, among: ["keep", "daemon"]))
      }
      return .named(raw)
    }
  }

  func group() throws(BadValue) -> DeliveryRules.Ownership {
    switch raw {
    case "keep": return .keep
    case "inherit": return .inherit
    default:
      guard context.isGroup(raw) else {
        throw BadValue(
          "is not 'inherit', 'keep' or a group on this machine",
          nearest: Spelling.nearest(to: raw, among: ["inherit", "keep"]))
      }
      return .named(raw)
    }
  }

  func permissions() throws(BadValue) -> DeliveryRules.Permissions {
    switch raw {
    case "keep": return .keep
    case "inherit": return .inherit
    default:
      guard raw.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x37 }), let mode = UInt32(raw, radix: 8) else {
        throw BadValue(
          "is not 'inherit', 'keep' or an octal number such as 0640",
          nearest: Spelling.nearest(to: raw, among: ["inherit", "keep"]))
      }
      guard mode <= 0o777 else { throw BadValue("is more than 0777; the set-id and sticky bits are never set") }
      return .fixed(mode)
    }
  }
}
