import DropSystem

/// What the machine allows all zones together.
package enum MachineCheck {
  package static var lines: [String] {
    var lines = ["watches: \(Machine.watchLimit) for this user at most (fs.inotify.max_user_watches)"]
    let missing = [
      (Capabilities.Capability.dacOverride, "CAP_DAC_OVERRIDE"), (.owner, "CAP_FOWNER"), (.chown, "CAP_CHOWN"),
      (.lease, "CAP_LEASE"),
    ].filter { !Capabilities.has($0.0) }.map(\.1)
    if !missing.isEmpty {
      lines.append("without \(missing.joined(separator: ", ")): see what this leaves out, by zone")
    }
    return lines
  }
}
