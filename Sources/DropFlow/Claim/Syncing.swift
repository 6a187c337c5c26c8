package import DropSystem

/// Puts many files' bytes on the disk at the least cost.
package enum Syncing {
  /// Above this many, one sync of the file system is cheaper than one a file.
  static let fewFiles = 16
  /// More than this of somebody else's unsynced bytes, and syncing the file system would wait for them.
  static let muchElse: Int64 = 8 << 20
  static let width = 8

  /// Syncs the files, which lie on one file system; returns the errors by index.
  package static func sync(_ files: [OpenFile], unsyncedElse: Int64) async -> [Int: Errno] {
    if files.count > fewFiles, unsyncedElse <= muchElse, let first = files.first {
      do throws(Errno) {
        try first.descriptor.syncFileSystem()
        return [:]
      } catch {
        // One by one says whose fault it is.
      }
    }
    return await withTaskGroup(of: [Int: Errno].self) { group in
      for lane in 0..<min(width, files.count) {
        group.addTask {
          var errors: [Int: Errno] = [:]
          for index in stride(from: lane, to: files.count, by: width) {
            do throws(Errno) {
              try files[index].descriptor.sync()
            } catch {
              errors[index] = error
            }
          }
          return errors
        }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }
}
