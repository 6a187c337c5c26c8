import Foundation
import Synchronization

/// Prints a line if it differs from the previous one. This is a class because zones are values, which are copied.
final class Screen: Sendable {
  private let shown = Mutex("")

  func show(_ line: String) {
    shown.withLock { shown in
      guard line != shown else { return }
      shown = line
      // `print` would buffer the line if the output is not a terminal.
      FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
  }
}
