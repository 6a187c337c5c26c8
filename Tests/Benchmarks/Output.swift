internal import Glibc

/// The output of this program; each line is written immediately.
enum Output {
  static func say(_ line: String) { write(line + "\n", to: 1) }

  static func complain(_ message: String) { write("Benchmarks: \(message)\n", to: 2) }

  static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// An error that prevented a measurement.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
