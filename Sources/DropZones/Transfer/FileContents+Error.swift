internal import DropEngine
internal import DropSystem

extension FileContents {
  /// Reads a whole file, and translates errors for callers.
  static func bytes(of path: String, upTo limit: Int) throws(DropZoneError) -> [UInt8] {
    do throws(Failure) {
      return try read(RawPath(path), upTo: limit)
    } catch {
      let shown = "'\(RawPath(path))'"
      switch error {
      case .tooLarge(let count):
        throw DropZoneError(.tooLarge, path: path, tooLarge(count, limit))
      case .notAFile: throw DropZoneError(.unreadable, path: path, "\(shown) is not a file")
      case .system(let error):
        throw DropZoneError(.unreadable, path: path, errno: error.errno.number, error.description)
      }
    }
  }

  /// The message for content of `count` bytes that exceeds `limit`.
  static func tooLarge(_ count: some BinaryInteger, _ limit: Int) -> String {
    "\(Int64(count).formattedBytes) is more than the \(Int64(limit).formattedBytes) that may be read into memory"
  }
}
