import DropEngine
import DropSystem
import Synchronization

/// Room that copies under way have been promised and have not filled yet.
///
/// A copy gets its promise together with the answer that it fits. Promised before, two copies that each fit alone would
/// keep each other out.
final class RoomReservations: Sendable {
  private struct Reservation {
    var directory: Directory
    var device: UInt64
    var bytes: Int64
  }

  private let reservations = Mutex<[DropID: Reservation]>([:])

  /// Reserves the room that a copy of `file` needs, unless it has none; then it returns what to say.
  func reserve(_ status: FileStatus, of file: OpenFile, for id: DropID, in directory: Directory) -> String? {
    let device = (try? directory.status().identity.device) ?? 0
    return reservations.withLock { reservations in
      reservations[id] = nil
      let room = Room(at: directory, promised: Self.promisedBytes(on: device, reservations))
      if let lack = room.lack(for: status, of: file, in: directory) { return lack }
      reservations[id] = Reservation(directory: directory, device: device, bytes: status.bytesToCopy)
      return nil
    }
  }

  func release(_ id: DropID) {
    reservations.withLock { $0[id] = nil }
  }

  /// Bytes that the copies under way will still write to a file system.
  func promisedBytes(on device: UInt64) -> Int64 {
    reservations.withLock { Self.promisedBytes(on: device, $0) }
  }

  private static func promisedBytes(on device: UInt64, _ reservations: [DropID: Reservation]) -> Int64 {
    var promised: Int64 = 0
    for (id, reservation) in reservations where reservation.device == device {
      let written = (try? reservation.directory.status(of: RawPath(".dropzone-\(id)")).allocated) ?? 0
      promised += max(0, reservation.bytes - written)
    }
    return promised
  }
}
