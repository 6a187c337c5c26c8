internal import DropEngine
internal import DropSystem

extension Transferable {
  /// Writes the value to a new file, which becomes visible only when it is complete. The directory may be a zone.
  ///
  ///     try await card.write(as: .card, into: "/srv/drop/board/To do")
  ///
  /// The representations suggest the name of the file. The extension of the type is added if the name does not have it,
  /// and a number if the name already exists.
  ///
  /// - Parameters:
  ///   - contentType: The type to write, as for `exported(as:)`.
  ///   - directory: An existing directory.
  /// - Returns: The path of the file.
  /// - Throws: `DropZoneError` if no representation can write the type, or if the file cannot be written.
  @discardableResult
  public func write(as contentType: ContentType, into directory: String) async throws -> String {
    let written = try await written(as: contentType)
    let name = try fileName(for: written.type)
    do throws(FileError) {
      // Bytes are written to a temporary file first.
      let temporary: TemporaryFile? =
        if case .bytes(let bytes) = written.output { try TemporaryFile(bytes, mode: 0o666) } else { nil }
      let path = if case .file(let path) = written.output { path } else { temporary?.path ?? "" }
      defer { withExtendedLifetime(temporary) {} }
      return try Self.copy(path, to: RawPath(directory), as: name)
    } catch {
      throw DropZoneError(
        .unwritable, path: directory, errno: error.errno.number, error.description)
    }
  }

  private func fileName(for type: ContentType) throws(DropZoneError) -> RawPath {
    let suggested = suggestedFileName ?? "\(Self.self)"
    let name: RawPath
    do throws(HandlerAnswer.Flaw) {
      name = try HandlerAnswer.name(RawPath(suggested), key: "suggestedFileName")
    } catch {
      throw DropZoneError(.notExported, error.message)
    }
    let path = DropPath(name)
    let saysIt =
      ContentType(claimedBy: path)?.conforms(to: type) == true
      || path.filenameExtension.map { type.tags[.filenameExtension]?.contains($0.lowercased()) == true } == true
    guard !saysIt, let suffix = type.preferredFilenameExtension else { return name }
    return RawPath("\(suggested).\(suffix)")
  }

  private static func copy(_ path: String, to directory: RawPath, as name: RawPath) throws(FileError) -> String {
    for number in 0..<10_000 {
      let candidate = FreeName.candidate(name, number: number)
      let file = try OutgoingFile(SourceFile(RawPath(path)), to: directory, as: candidate, id: newDropID())
      try file.copy { _ in true }
      do throws(FileError) {
        try file.finish()
        // The path is valid text, because both parts were Strings and names are truncated between characters.
        return String(decoding: directory.appending(candidate).bytes, as: UTF8.self)
      } catch {
        guard error.errno == .exists else { throw error }
      }
    }
    throw FileError(.exists, .create, directory.appending(name))
  }
}
