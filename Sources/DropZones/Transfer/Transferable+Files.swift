internal import DropEngine
internal import DropSystem

extension Transferable {
  /// Makes a value of bytes.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - contentType: What the content is of; without it every representation is tried in order.
  /// - Throws: `DropZoneError` that says what each representation says; a `DropVerdict` where one threw it.
  public init(importing bytes: [UInt8], contentType: ContentType? = nil) async throws {
    self = try await Self.value(from: TransferSource(content: .bytes(bytes), type: contentType))
  }

  /// Makes a value of a file, as a zone would of a payload.
  ///
  /// - Parameters:
  ///   - path: The file or directory; it is the original and stays where it is.
  ///   - contentType: What the content is of; without it that is found out as a zone does, by content and name.
  /// - Throws: `DropZoneError` that says what each representation says; a `DropVerdict` where one threw it.
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
  /// A file that no zone took, typed as one would.
  init(at path: String, as type: ContentType?, among declared: [ContentType]) throws(DropZoneError) {
    let name = RawPath(path).lastComponent
    let found: (content: TypedContent, size: Int64)
    do {
      found = try ContentTyper.shared.get().type(ofFileAt: RawPath(path))
    } catch let error as FileError {
      throw DropZoneError(.unreadable, path: path, errno: error.errno.number, error.description)
    } catch {
      throw DropZoneError(.unreadable, path: path, "'\(RawPath(path))' cannot be typed: \(error)")
    }
    let told = DeclaredType(found.content, name: DropPath(name), among: declared)
    self.init(
      id: ID(name.description), location: DropPath(name), file: path, byteCount: found.size,
      type: type ?? told.type, claimedType: told.claimedType, grade: type == nil ? told.grade : .proved)
  }
}
