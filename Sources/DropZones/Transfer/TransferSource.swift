internal import DropEngine
internal import DropSystem

/// What a value is read from.
struct TransferSource: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    case file(DroppedFile, isOriginalFile: Bool)
  }

  let content: Content
  /// What the content is of; nil: any way of reading it is tried.
  let type: ContentType?

  /// The content cannot be had, which is no word on whether it would fit.
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

  /// Gives `body` a file, a temporary one where there are only bytes.
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
            .unwritable, errno: error.errno.number, "a temporary file could not be written: \(error)"))
      }
      defer { withExtendedLifetime(file) {} }
      return try await body(ReceivedTransferredFile(file: file.path, isOriginalFile: false))
    }
  }
}
