internal import CLinux
internal import Glibc

/// Where a program speaks to who started it.
package struct StandardStream: Sendable {
  private let number: Int32

  package static let output = StandardStream(number: STDOUT_FILENO)
  package static let error = StandardStream(number: STDERR_FILENO)

  /// Writes a line; what cannot be written is lost, because there is nobody left to tell.
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
