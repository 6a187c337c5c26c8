internal import DropEngine
internal import DropSystem

extension Transferable {
  /// Creates a value from bytes.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - contentType: The type of the content. Without it, every representation is tried in order.
  /// - Throws: `DropZoneError`, with the reason of each representation, or a `DropVerdict` if a representation threw one.
  public init(importing bytes: [UInt8], contentType: ContentType? = nil) async throws {
    self = try await Self.value(from: TransferSource(content: .bytes(bytes), type: contentType))
  }

  /// Creates a value from a file, as a zone would from a payload.
  ///
  /// - Parameters:
  ///   - path: The file or directory. It is the original, and stays where it is.
  ///   - contentType: The type of the content. Without it, the type is determined from the content and the name, as in a
  ///     zone.
  /// - Throws: `DropZoneError`, with the reason of each representation, or a `DropVerdict` if a representation threw one.
  public init(importingFile path: String, contentType: ContentType? = nil) async throws {
    let file = try DroppedFile(at: path, as: contentType, among: Self.importedContentTypes())
    self = try await Self.value(
      from: TransferSource(content: .file(file, isOriginalFile: true), type: file.type))
  }

  private static func value(from source: TransferSource) async throws -> Self {
    do {
      return try await read(from: source)
    } catch let error as TransferSource.Unreadable {
      throw error.reason
    }
  }
}

extension DroppedFile {
  /// Creates a value for a file outside a zone, and determines its type as a zone would.
  init(at path: String, as type: ContentType?, among declared: [ContentType]) throws(DropZoneError) {
    let name = RawPath(path).lastComponent
    let found: (content: TypedContent, size: Int64)
    do {
      found = try ContentTyper.shared.get().type(ofFileAt: RawPath(path))
    } catch let error as FileError {
      throw DropZoneError(.unreadable, path: path, errno: error.errno.number, error.description)
    } catch {
      throw DropZoneError(.unreadable, path: path, "cannot determine the type of '\(RawPath(path))': \(error)")
    }
    let declaredType = DeclaredType(found.content, name: DropPath(name), among: declared)
    self.init(
      id: ID(name.description), location: DropPath(name), file: path, byteCount: found.size,
      type: type ?? declaredType.type, claimedType: declaredType.claimedType,
      grade: type == nil ? declaredType.grade : .proved)
  }
}
