internal import CLinux
package import DropEngine
internal import Glibc
internal import Synchronization

/// Returns an id that no other drop has.
package func newDropID() -> DropID {
  let milliseconds = UInt64(max(0, wallNow()))
  return pool.withLock { pool in
    DropID(milliseconds: milliseconds, high: UInt16(truncatingIfNeeded: pool.next()), low: pool.next())
  }
}

private let pool = Mutex(RandomPool())

/// The kernel's random numbers, read many at a time: otherwise an id would cost two system calls.
private struct RandomPool {
  private var numbers: [UInt64] = []

  mutating func next() -> UInt64 {
    if let number = numbers.popLast() { return number }
    var fresh = [UInt64](repeating: 0, count: 32)
    let wanted = fresh.count * 8
    guard unsafe getrandom(&fresh, wanted, 0) == wanted, let number = fresh.popLast() else {
      // getrandom(2) never returns fewer than so few bytes, unless a signal comes before the machine has any.
      return UInt64.random(in: .min ... .max)
    }
    numbers = fresh
    return number
  }
}
