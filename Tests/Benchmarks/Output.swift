internal import Glibc

/// What leaves this program beside the table.
enum Output {
  static func complain(_ message: String) {
    let line = Array("Benchmarks: \(message)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
  }

  static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// A line of the table appears when it is measured, not when a buffer is full.
  static func unbuffered() { unsafe setvbuf(stdout, nil, _IOLBF, 0) }
}
