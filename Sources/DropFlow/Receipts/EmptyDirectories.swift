import DropEngine
import DropSystem

/// Removes directories of a zone that became empty, where the zone says so: rmdir only, never the root, and not before
/// nothing has happened in them for the quiet time, so that a sender who comes back finds them or makes them.
struct EmptyDirectories: Sendable {
  let context: FlowContext

  /// The directories that payloads have left, and those above them.
  static func left(by drops: [Drop]) -> Set<RawPath> {
    var locations: Set<RawPath> = []
    for drop in drops {
      var location = drop.location.parent
      while !location.isEmpty, locations.insert(location).inserted { location = location.parent }
    }
    return locations
  }

  /// Removes what is empty and old. Looks a few times: one whose time lies ahead never gets old.
  func remove(_ locations: Set<RawPath>) async {
    var left = locations
    for _ in 0..<3 where !left.isEmpty {
      guard await context.time.sleep(for: context.settings.staging.quiet + .milliseconds(250)) else { return }
      let now = left
      left = await offActor { removeOld(of: now) }
    }
  }

  /// Removes the deepest first; returns what is empty and may be old the next time.
  private func removeOld(of locations: Set<RawPath>) -> Set<RawPath> {
    guard let root = try? Directory(context.settings.path) else { return [] }
    // Inspected before anything goes, which is a change of the directory it was in.
    let old = locations.filter { age(of: $0, below: root) > context.settings.staging.quiet }
    var young: Set<RawPath> = []
    for location in locations.sorted(by: { $0.components.count > $1.components.count }) {
      guard let parent = try? root.directory(at: location.parent) else { continue }
      if old.contains(location) {
        try? parent.removeDirectory(named: location.lastComponent)
      } else if let directory = try? parent.directory(named: location.lastComponent), directory.isEmpty {
        young.insert(location)
      }
    }
    return young
  }

  /// The time since a name was last made or removed in a directory; its sender may have set it to anything.
  private func age(of location: RawPath, below root: Directory) -> Duration {
    guard let directory = try? root.directory(at: location), let status = try? directory.status() else { return .zero }
    return .milliseconds(context.time.wallTime) - .nanoseconds(status.modified)
  }
}
