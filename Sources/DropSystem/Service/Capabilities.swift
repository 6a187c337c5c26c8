internal import CLinux

/// The effective capabilities of this process: capabilities(7).
package enum Capabilities {
  package enum Capability: UInt64, Sendable {
    case chown = 0
    case dacOverride = 1
    case owner = 3
    case lease = 28
  }

  package static func has(_ capability: Capability) -> Bool {
    var set: UInt64 = 0
    guard unsafe clinux_effective_capabilities(&set) == 0 else { return false }
    return set >> capability.rawValue & 1 != 0
  }
}
