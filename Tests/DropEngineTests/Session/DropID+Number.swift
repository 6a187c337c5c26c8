@testable import DropEngine

extension DropID {
  /// The id of a payload in a test's script.
  init(_ number: UInt64) {
    self.init(milliseconds: 0, high: 0, low: number)
  }
}
