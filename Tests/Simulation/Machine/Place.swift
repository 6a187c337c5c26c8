import DropEngine

/// The directories that a daemon's configuration names.
package enum Place: UInt8, Hashable, Sendable, CaseIterable {
  case zone, secondZone, zoneHold, secondZoneHold, box, boxHold, rejects, rejectsHold

  package var path: String {
    switch self {
    case .zone: "/zone"
    case .secondZone: "/zone2"
    case .zoneHold: "/zone.hold"
    case .secondZoneHold: "/zone2.hold"
    case .box: "/box"
    case .boxHold: "/box.hold"
    case .rejects: "/rejects"
    case .rejectsHold: "/rejects.hold"
    }
  }

  package init?(path: String) {
    guard let place = Self.allCases.first(where: { $0.path == path }) else { return nil }
    self = place
  }

  /// What is on the same mount: a hold goes where its zone, box or rejects go.
  var mount: [Place] {
    switch self {
    case .zone, .zoneHold: [.zone, .zoneHold]
    case .secondZone, .secondZoneHold: [.secondZone, .secondZoneHold]
    case .box, .boxHold: [.box, .boxHold]
    case .rejects, .rejectsHold: [.rejects, .rejectsHold]
    }
  }

  var isZone: Bool { self == .zone || self == .secondZone }
  var isOnZoneDisk: Bool { rawValue <= Place.secondZoneHold.rawValue }
  var isHold: Bool { [.zoneHold, .secondZoneHold, .boxHold, .rejectsHold].contains(self) }

  static let paths = allCases.map { RawPath($0.path) }
}

/// A directory on one of the disks.
struct Folder: Hashable {
  var disk: Int
  var id: FileID
}

/// A file on one of the disks, under whatever name.
struct FileReference: Hashable {
  var disk: Int
  var id: FileID
}
