internal import DropEngine

extension ZoneGroup {
  /// When a payload counts as complete.
  static let staging = ZoneGroup(
    name: "Staging",
    keys: [
      ZoneKey("Quiet", \.staging.quiet) { try $0.time() },
      ZoneKey("EmptyGrace", \.staging.emptyGrace) { try $0.time() },
      ZoneKey("Stalled", \.staging.stalled) { try $0.time(atLeast: .milliseconds(10)) },
      ZoneKey("Rescan", \.staging.rescan) { try $0.time(atLeast: .milliseconds(10)) },
      ZoneKey("Ignore", \.staging.ignore) { try $0.patterns(instead: "no file would ever be taken") },
      ZoneKey("Temporary", \.staging.temporary) { try $0.patterns(instead: "no file would ever be released") },
      ZoneKey("Profile", later: "leave 'Profile=' empty and write Quiet=, Ignore= and Temporary= instead"),
      ZoneKey("Marker", \.staging.marker) { try $0.marker() },
    ])
}
