package import DropEngine

/// An id that no other drop has.
package func newDropID() -> DropID {
  DropID(milliseconds: UInt64(max(0, wallNow())), random: SystemRandomNumberGenerator())
}
