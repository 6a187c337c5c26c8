package import DropEngine

/// Reads small files whole.
package enum FileContents {
  /// Why a file is not in memory.
  package enum Failure: Error, Hashable, Sendable {
    /// The file has more bytes than are allowed: this many, when it was inspected.
    case tooLarge(Int64)
    case notAFile
    case system(FileError)
  }

  /// All bytes of the file at `path`, which may be `limit` at most.
  ///
  /// A pipe in the place of a file is not waited for.
  package static func read(_ path: RawPath, upTo limit: Int) throws(Failure) -> [UInt8] {
    let opened: (file: OpenFile, status: FileStatus)
    let bytes: [UInt8]
    do throws(FileError) {
      opened = try OpenFile.regular(at: path)
    } catch {
      throw error.errno == .invalid || error.errno == .isDirectory ? .notAFile : .system(error)
    }
    guard opened.status.size <= Int64(limit) else { throw .tooLarge(opened.status.size) }
    do throws(FileError) {
      // One more, so that a file that grows in the meantime is noticed.
      bytes = try opened.file.read(at: 0, count: Int(opened.status.size) + 1)
    } catch {
      throw .system(error)
    }
    guard bytes.count <= limit else { throw .tooLarge(Int64(bytes.count)) }
    return bytes
  }
}
