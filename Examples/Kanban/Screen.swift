import Foundation
import Synchronization

/// Shows a line when it is another one than before. A class, because zones are values that are copied.
final class Screen: Sendable {
  private let shown = Mutex("")

  func show(_ line: String) {
    shown.withLock { shown in
      guard line != shown else { return }
      shown = line
      // Not `print`, which waits for more where nobody is watching.
      FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
  }
}
