internal import DropEngine
internal import DropSystem

/// The content that a value is read from.
struct TransferSource: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    case file(DroppedFile, isOriginalFile: Bool)
  }

  let content: Content
  /// The type of the content. If nil, every representation is tried.
  let type: ContentType?

  /// The content could not be read, which says nothing about whether it would fit.
  struct Unreadable: Error {
    let reason: DropZoneError
  }

  func bytes(upTo limit: Int?) throws -> [UInt8] {
    let limit = limit ?? .usualSizeLimit
    switch content {
    case .bytes(let bytes):
      guard bytes.count <= limit else {
        throw DropZoneError(.tooLarge, FileContents.tooLarge(bytes.count, limit))
      }
      return bytes
    case .file(let file, _):
      do throws(DropZoneError) {
        return try FileContents.bytes(of: file.file, upTo: limit)
      } catch {
        if error.errno != nil { throw Unreadable(reason: error) }
        throw error
      }
    }
  }

  /// Calls `body` with a file, which is temporary if the content is bytes.
  func withFile<Value: Sendable>(_ body: (ReceivedTransferredFile) async throws -> Value) async throws -> Value {
    switch content {
    case .file(let file, let isOriginalFile):
      return try await body(ReceivedTransferredFile(file: file.file, isOriginalFile: isOriginalFile))
    case .bytes(let bytes):
      let file: TemporaryFile
      do throws(FileError) {
        file = try TemporaryFile(bytes, suffix: type?.preferredFilenameExtension)
      } catch {
        throw Unreadable(
          reason: DropZoneError(
            .unwritable, errno: error.errno.number, "cannot write a temporary file: \(error)"))
      }
      defer { withExtendedLifetime(file) {} }
      return try await body(ReceivedTransferredFile(file: file.path, isOriginalFile: false))
    }
  }
}
