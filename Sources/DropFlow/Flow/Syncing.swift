package import DropSystem

/// Puts many files' bytes on the disk at the least cost.
package enum Syncing {
  /// Files of up to this many bytes are not worth another thread for a sync or a digest.
  static let fewBytes: Int64 = 1 << 20
  /// Above this many, one sync of the file system is cheaper than one a file.
  static let fewFiles = 16
  /// More than this of somebody else's unsynced bytes, and syncing the file system would wait for them.
  static let muchElse: Int64 = 8 << 20
  static let width = 8

  /// Syncs the files, which lie on one file system; returns the errors by index.
  ///
  /// - Parameter isAlone: Nothing else is to be done meanwhile: the caller's thread waits for one file by itself.
  nonisolated(nonsending) package static func sync(
    _ files: [OpenFile], unsyncedElse: Int64, isAlone: Bool = false
  ) async -> [Int: Errno] {
    if isAlone, files.count == 1 { return sync(files, from: 0, by: 1) }
    return await syncAside(files, unsyncedElse)
  }

  @concurrent private static func syncAside(_ files: [OpenFile], _ unsyncedElse: Int64) async -> [Int: Errno] {
    if files.count > fewFiles, unsyncedElse <= muchElse, let first = files.first {
      do throws(Errno) {
        try first.descriptor.syncFileSystem()
        return [:]
      } catch {
        // One by one says whose fault it is.
      }
    }
    let lanes = min(width, files.count)
    if lanes < 2 { return sync(files, from: 0, by: 1) }
    return await withTaskGroup(of: [Int: Errno].self) { group in
      for lane in 0..<lanes { group.addTask { sync(files, from: lane, by: lanes) } }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  private static func sync(_ files: [OpenFile], from first: Int, by step: Int) -> [Int: Errno] {
    var errors: [Int: Errno] = [:]
    for index in stride(from: first, to: files.count, by: step) {
      do throws(Errno) {
        try files[index].descriptor.sync()
      } catch {
        errors[index] = error
      }
    }
    return errors
  }
}
