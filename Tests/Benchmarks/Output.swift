internal import Glibc

/// What this program says: each line as soon as it is known.
enum Output {
  static func say(_ line: String) { write(line + "\n", to: 1) }

  static func complain(_ message: String) { write("Benchmarks: \(message)\n", to: 2) }

  static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// Why something could not be measured.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
