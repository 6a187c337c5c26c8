/// Determines whether text is a table: one record per line, and more than one field, and the same number in each record.
package enum TableCheck {
  package static let separators = Array(",;\t|".utf8)

  /// Checks `text`, which is the whole file if `isWhole` is true; otherwise, its last record may be incomplete.
  package static func isTable(
    _ text: some Collection<UInt8>, separators: [UInt8] = separators, isWhole: Bool
  ) -> Bool {
    let text = Array(text)
    return separators.contains { isTable(text, separator: $0, isWhole: isWhole) }
  }

  private static func isTable(_ text: [UInt8], separator: UInt8, isWhole: Bool) -> Bool {
    var table = Table()
    var isQuoted = false
    var isFieldStart = true
    var previous: UInt8 = 0
    for (index, byte) in text.enumerated() {
      let before = previous
      previous = byte
      if isQuoted {
        if byte == quote { isQuoted = false }
        continue
      }
      switch byte {
      case quote where isFieldStart || before == quote:
        // A quote at the start opens a field; a quote right after another one is an escaped quote.
        isQuoted = true
        isFieldStart = false
        table.record.isBlank = false
      case separator:
        table.endField(next: index + 1 < text.count ? text[index + 1] : nil, isEmpty: isFieldStart)
        isFieldStart = true
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        guard table.endRecord(lastIsEmpty: isFieldStart) else { return false }
        isFieldStart = true
      default:
        table.record.isBlank = table.record.isBlank && byte == 0x20
        isFieldStart = false
      }
    }
    if isWhole {
      guard !isQuoted, table.endRecord(lastIsEmpty: isFieldStart) else { return false }
    }
    return table.isConvincing
  }

  private static let quote = UInt8(ascii: "\"")

  private struct Table {
    struct Record {
      var fields = 1
      var isBlank = true
      /// Whether there are spaces after separators, as in sentences.
      var readsAsProse = false
    }

    var record = Record()
    private var fields: Int?
    private var records = 0
    private var readsAsProse = false
    private var hasLastField = false

    mutating func endField(next: UInt8?, isEmpty: Bool) {
      record.fields += 1
      record.isBlank = false
      record.readsAsProse = record.readsAsProse || next == 0x20
    }

    /// Ends a record. Returns false if it has a different number of fields than the previous ones.
    mutating func endRecord(lastIsEmpty: Bool) -> Bool {
      defer { record = Record() }
      if record.isBlank, record.fields == 1 { return true }
      guard record.fields >= 2, fields ?? record.fields == record.fields else { return false }
      fields = record.fields
      records += 1
      readsAsProse = readsAsProse || record.readsAsProse
      hasLastField = hasLastField || !lastIsEmpty
      return true
    }

    /// A single line may be a sentence, and lines that all end with the separator may be statements of a program.
    var isConvincing: Bool {
      records > 0 && hasLastField && (records > 1 || !readsAsProse)
    }
  }
}
