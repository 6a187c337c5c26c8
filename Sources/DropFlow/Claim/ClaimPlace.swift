import DropEngine
import DropSystem

/// The places a batch of claims works between.
struct ClaimPlace: Sendable {
  let root: OpenFile
  let box: OpenFile
  let hold: Hold
  /// Whether a rename from the hold into the box works.
  let boxIsNear: Bool
  let places: DropPlaces
}

extension ZoneFlow {
  /// Asks the place before anything is touched: the zone open, a hold to be had, the box there and writable.
  func openPlaces(_ mountLocation: RawPath) throws(HoldError) -> ClaimPlace {
    let root: OpenFile
    do throws(Errno) {
      root = OpenFile(try FileDescriptor.open(RawPath(settings.path), [.pathOnly, .directory]))
    } catch {
      throw HoldError(message: "the zone '\(Escaping.escape(settings.path))': \(error)", isTrespass: false)
    }
    if let gate = gates[settings.box], !gate.waiting.isEmpty {
      throw HoldError(message: gate.reason, isTrespass: false)
    }
    if let trouble = syncTrouble ?? handlerTrouble ?? overdueTrouble {
      throw HoldError(message: trouble, isTrespass: false)
    }
    let box: OpenFile
    do throws(PlaceError) {
      box = try Place.open(settings.box, wasMountPoint: mountPoints.contains(settings.box))
    } catch {
      throw HoldError(message: error.message, isTrespass: false)
    }
    let from: OpenFile
    do throws(Errno) {
      from =
        mountLocation.isEmpty
        ? root : OpenFile(try FileDescriptor.open(beneath: root.number, mountLocation, [.pathOnly, .directory]))
    } catch {
      throw HoldError(message: "'\(mountLocation)': \(error)", isTrespass: false)
    }
    let hold = try holds.hold(for: from, at: mountLocation)
    let places = DropPlaces(
      zone: name, zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold.path)
    return ClaimPlace(root: root, box: box, hold: hold, boxIsNear: holds.isNear(hold, to: box), places: places)
  }
}
