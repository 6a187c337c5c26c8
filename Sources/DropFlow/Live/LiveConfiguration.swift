package import DropEngine

/// Who says how a zone would take a payload: a function of the program, asked on a thread that is the zone's own.
package protocol LiveConfiguration: Sendable {
  /// What is asked about each payload over the zone as `view` has it; only location and operations differ between them.
  func asking(in view: SessionView) -> (_ location: RawPath, _ operations: Set<LiveOperation>) -> LiveVerdict
}

/// Who is told of a zone's light and of its sessions. Called on the event loop: returns at once.
package protocol ZoneWatcher: Sendable {
  /// The zone has lit up or gone dark.
  func targeted(_ isTargeted: Bool)
  /// A session has come to another phase, or something over the zone has changed.
  func updated(_ view: SessionView)
}
