import DropEngine

/// A name of a payload, and the directory that it is in.
struct NamedPlace {
  var folder: Folder
  var name: Name
}

/// Where the names of a payload lead, as `Sources/DropFlow/Flow/PayloadFiles.swift` has it.
enum PayloadNames {
  static func place(of name: Delivery.Name, _ delivery: Delivery, _ machine: Machine) throws(CallError) -> NamedPlace {
    let folder = try folder(of: name, delivery, machine)
    let names = machine.names
    switch name {
    case .hold: return NamedPlace(folder: folder, name: names.entry(delivery.drop.entry))
    case .origin:
      let own = delivery.drop.isFromRejects ? delivery.drop.source : nil
      return NamedPlace(folder: folder, name: names[(own ?? delivery.returnLocation).lastComponent])
    case .temporary, .halfCopy: return NamedPlace(folder: folder, name: names.temporary(of: delivery.drop.id))
    case .destination: return NamedPlace(folder: folder, name: names[delivery.drop.nameAtDestination])
    case .reason:
      return NamedPlace(folder: folder, name: names.reason(beside: names[delivery.drop.nameAtDestination]))
    case .delivered, .oldReason:
      return NamedPlace(folder: folder, name: names[(delivery.drop.source ?? RawPath("/box")).lastComponent])
    }
  }

  static func folder(of name: Delivery.Name, _ delivery: Delivery, _ machine: Machine) throws(CallError) -> Folder {
    let drop = delivery.drop
    switch name {
    case .hold: return try machine.folder(at: drop.holdPath)
    case .origin, .halfCopy:
      if drop.isFromRejects, let source = drop.source { return try machine.folder(at: source.parent) }
      return try machine.folder(drop.location.parent, below: try machine.folder(at: drop.zonePath))
    case .temporary, .destination, .reason:
      let root = try machine.folder(at: drop.destinationRoot ?? drop.boxPath)
      return try machine.folder(drop.destinationDirectory, below: root)
    case .delivered, .oldReason: return try machine.folder(at: (drop.source ?? RawPath(drop.boxPath)).parent)
    }
  }

  /// The directory of the zone that a payload goes back to, made again if its sender has removed it.
  static func makeOrigin(of drop: Drop, _ machine: inout Machine) throws(CallError) -> Folder {
    try makeFolder(drop.location.parent, below: try machine.folder(at: drop.zonePath), syncing: false, &machine)
  }

  /// Opens a directory, and makes what is missing of it.
  static func makeFolder(
    _ location: RawPath, below root: Folder, syncing: Bool, _ machine: inout Machine
  ) throws(CallError) -> Folder {
    guard !location.isEmpty else { return root }
    var folder = root
    for part in location.components {
      let name = machine.names[part]
      if let found = machine.find(name, in: folder) {
        guard machine[found].isDirectory else { throw .notDirectory }
        folder.id = found.id
      } else {
        let made = try machine.create(name, in: folder, isDirectory: true)
        if syncing { machine.sync(folder) }
        folder.id = made.id
      }
    }
    return folder
  }

  /// Opens a payload in the hold again.
  static func openHeld(_ drop: Drop, _ machine: Machine) throws(CallError) -> FileReference {
    let folder = try machine.folder(at: drop.holdPath)
    guard let file = machine.find(machine.names.entry(drop.entry), in: folder), !machine[file].isDirectory else {
      throw .noEntry
    }
    return file
  }

  /// An error of a payload in the hold: what cannot be seen because its hold is not there is not gone.
  static func failure(held drop: Drop, _ error: CallError, _ machine: Machine) -> Delivery.Failure {
    var failure = Delivery.Failure(error)
    if failure.kind == .missing, !machine.isThere(drop.holdPath) { failure.kind = .holdMissing }
    return failure
  }
}

extension Drop {
  /// Whether its origin is a reject that is tried again.
  var isFromRejects: Bool { source != nil && state != .returning && state != .removing }
  var nameAtDestination: RawPath { destinationName ?? location.lastComponent }
  /// Where an undo takes it from; nil for everything else.
  var delivered: RawPath? { state == .returning || state == .removing ? source : nil }
}
