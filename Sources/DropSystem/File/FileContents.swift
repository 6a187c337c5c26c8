package import DropEngine

/// Reads small files whole.
package enum FileContents {
  /// Why a file is not in memory.
  package enum Failure: Error, Hashable, Sendable {
    /// It has more bytes than were allowed: this many, when it was looked at.
    case tooLarge(Int64)
    case notAFile
    case system(Errno)
  }

  /// All bytes of the file at `path`, which may be `limit` at most.
  ///
  /// A pipe that lies in the place of a file is not waited for.
  package static func read(_ path: RawPath, upTo limit: Int) throws(Failure) -> [UInt8] {
    let outcome: Result<[UInt8], Failure>
    do throws(Errno) {
      outcome = try inspect(path, limit)
    } catch {
      throw .system(error)
    }
    return try outcome.get()
  }

  private static func inspect(_ path: RawPath, _ limit: Int) throws(Errno) -> Result<[UInt8], Failure> {
    let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
    let status = try FileStatus.read(at: file.number)
    guard status.kind == .regular else { return .failure(.notAFile) }
    guard status.size <= Int64(limit) else { return .failure(.tooLarge(status.size)) }
    // One more, so that a file that grows meanwhile is seen to have done so.
    let bytes = try file.read(at: 0, count: Int(status.size) + 1)
    return bytes.count <= limit ? .success(bytes) : .failure(.tooLarge(Int64(bytes.count)))
  }
}
