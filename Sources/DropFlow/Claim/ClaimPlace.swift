import DropEngine
import DropSystem

/// The directories that a batch of claims works between.
struct ClaimPlace: Sendable {
  let root: Directory
  let box: Directory
  let hold: Hold
  /// Where snapshots are made: on the box's side.
  let snapshotHold: Hold
  /// Whether a rename from the hold into the box works.
  let boxIsNear: Bool
  let places: DropPlaces
}

/// Why nothing can be claimed now.
struct PlaceTrouble: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

extension ClaimPlace {
  /// Checks the places before anything is touched: the zone open, a hold available, the box there and writable.
  ///
  /// - Parameter wantsSnapshots: Whether the claims are copies.
  init(_ context: FlowContext, at mountLocation: RawPath, wantsSnapshots: Bool) throws(PlaceTrouble) {
    let settings = context.settings
    do {
      root = try Directory(settings.path)
    } catch {
      throw PlaceTrouble("the zone '\(Escaping.escape(settings.path))': \(error.errno)")
    }
    do {
      box = try Place.open(settings.box, wasMountPoint: context.mountPoints.contains(settings.box))
    } catch {
      throw PlaceTrouble(error.message)
    }
    let from: Directory
    do {
      from = try root.directory(at: mountLocation)
    } catch {
      throw PlaceTrouble("'\(mountLocation)': \(error.errno)")
    }
    do {
      hold = try context.holds.hold(for: from, .claims(mountLocation))
      boxIsNear = context.holds.isNear(hold, to: box)
      // The zone's own hold lies on the zone's side; a snapshot there would be copied once more.
      snapshotHold = boxIsNear || !wantsSnapshots ? hold : try context.holds.hold(for: box, .snapshots)
    } catch {
      throw PlaceTrouble(error.message)
    }
    places = DropPlaces(
      zone: settings.name, zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects,
      holdPath: wantsSnapshots ? snapshotHold.path : hold.path)
  }
}
