import DropEngine

/// The values that take more than one column, or another form, in several tables.
extension SQLiteRow {
  func inode(_ column: Column) -> UInt64 { UInt64(bitPattern: integer(column)) }
  func inodeIfAny(_ column: Column) -> UInt64? { isNull(column) ? nil : inode(column) }
  func pathIfAny(_ column: Column) -> RawPath? { isNull(column) ? nil : RawPath(bytes: blob(column)) }

  /// Warnings are kept one a line.
  func warnings(_ column: Column) -> [String] {
    textIfAny(column)?.split(separator: "\n").map(String.init) ?? []
  }

  func handler(exit: Column, signal: Column, output: Column) -> Receipt.HandlerReport? {
    guard let output = textIfAny(output) else { return nil }
    return Receipt.HandlerReport(
      exit: integerIfAny(exit).map { Int32(clamping: $0) }, signal: integerIfAny(signal).map { Int32(clamping: $0) },
      output: output)
  }
}

extension LedgerValues {
  mutating func put(warnings: [String], _ column: Column) {
    if !warnings.isEmpty { self[column] = .text(warnings.joined(separator: "\n")) }
  }

  mutating func put(_ handler: Receipt.HandlerReport?, exit: Column, signal: Column, output: Column) {
    guard let handler else { return }
    self[exit] = .integer(orNull: handler.exit.map(Int64.init))
    self[signal] = .integer(orNull: handler.signal.map(Int64.init))
    self[output] = .text(handler.output)
  }
}
