import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite struct RoomReservationsTests {
  /// A file that shares no blocks with any directory, and what a copy of it with so many bytes would take.
  private static func source(bytes: Int64) throws -> (file: OpenFile, status: FileStatus) {
    let file = OpenFile(try FileDescriptor.open("/dev/null", .readOnly), name: "null", in: "/dev")
    let identity = FileIdentity(device: 0, inode: 1, birth: 0)
    return (file, FileStatus(kind: .regular, identity: identity, size: bytes, allocated: bytes))
  }

  private static func id(_ number: UInt64) -> DropID { DropID(milliseconds: 0, high: 0, low: number) }

  @Test func `of two copies that fit only one at a time, the second waits for the first`() async throws {
    try await Scratch.with { scratch in
      let directory = try Directory(scratch.path)
      let free = try #require(directory.freeRoom).bytes
      let (file, status) = try Self.source(bytes: free / 5 * 3)
      let reservations = RoomReservations()
      #expect(reservations.reserve(status, of: file, for: Self.id(1), in: directory) == nil)
      #expect(reservations.reserve(status, of: file, for: Self.id(2), in: directory)?.contains("free") == true)
      // A copy that is tried again does not count its own promise against itself.
      #expect(reservations.reserve(status, of: file, for: Self.id(1), in: directory) == nil)
      reservations.release(Self.id(1))
      #expect(reservations.reserve(status, of: file, for: Self.id(2), in: directory) == nil)
    }
  }

  @Test func `a copy that does not fit keeps no room from others`() async throws {
    try await Scratch.with { scratch in
      let directory = try Directory(scratch.path)
      let free = try #require(directory.freeRoom).bytes
      let (file, large) = try Self.source(bytes: free * 2)
      let (_, small) = try Self.source(bytes: free / 5 * 3)
      let reservations = RoomReservations()
      #expect(reservations.reserve(large, of: file, for: Self.id(1), in: directory) != nil)
      #expect(reservations.reserve(small, of: file, for: Self.id(2), in: directory) == nil)
    }
  }
}
