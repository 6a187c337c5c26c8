internal import CLinux
internal import Glibc

/// A standard stream of this process.
package struct StandardStream: Sendable {
  private let number: Int32

  package static let output = StandardStream(number: STDOUT_FILENO)
  package static let error = StandardStream(number: STDERR_FILENO)

  /// Writes a line. Errors are ignored, because there is nowhere left to report them.
  package func write(_ line: String) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { buffer in unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      }
      if written == 0 || (written < 0 && Errno.last != .interrupted) { return }
      rest = rest.dropFirst(max(written, 0))
    }
  }
}
