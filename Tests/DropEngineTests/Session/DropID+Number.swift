@testable import DropEngine

extension DropID {
  /// The id by which a test's script knows a payload.
  init(_ number: UInt64) {
    self.init(milliseconds: 0, high: 0, low: number)
  }
}
