internal import CLinux
internal import Glibc

/// The terminal that a descriptor may be connected to.
package enum Terminal {
  package static let standardOutput: Int32 = 1
  package static let standardError: Int32 = 2

  package static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

  /// The number of columns and rows; nil if there is no terminal or it does not know them.
  package static func size(of number: Int32) -> (columns: Int, rows: Int)? {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard unsafe clinux_window_size(number, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
    return (Int(columns), Int(rows))
  }

  /// Writes all of `bytes`. Returns false if this failed, for example because the reader is gone.
  package static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
    let file = FileDescriptor(adopting: number)
    let written = (try? file.write(bytes)) != nil
    // The process owns the descriptor, so it stays open.
    _ = file.release()
    return written
  }
}
