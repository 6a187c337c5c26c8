internal import DropEngine

/// The result of reading a payload as a value.
package enum ImportOutcome<Item: Sendable>: Sendable {
  case imported(Item)
  /// An import threw a verdict, which is the verdict on the payload.
  case verdict(DropVerdict)
  /// All representations for the payload's type failed, with these reasons. The array is empty if there is no such representation.
  case failed([String])
  /// The payload could not be read now, which says nothing about what it is.
  case unreadable(DropZoneError)
}

extension Transferable {
  /// Reads a payload as a value, with the first representation that fits and succeeds.
  ///
  /// - Parameters:
  ///   - file: The payload.
  ///   - isOriginalFile: Whether it stays with its sender, as it does in a zone that copies.
  /// - Throws: Only if the task was cancelled.
  package static func imported(
    from file: DroppedFile, isOriginalFile: Bool
  ) async throws(CancellationError) -> ImportOutcome<Self> {
    let source = TransferSource(content: .file(file, isOriginalFile: isOriginalFile), type: file.type)
    return try await imported(from: source, sizeLimit: nil)
  }

  /// Whether any representation takes files of this type.
  package static func takes(_ file: DroppedFile) -> Bool {
    importedContentTypes().contains { $0.takes(file) }
  }

  static func imported(
    from source: TransferSource, sizeLimit: Int?
  ) async throws(CancellationError) -> ImportOutcome<Self> {
    var failures: [String] = []
    for part in transferParts {
      guard let importing = part.importing, importing.types.contains(where: source.isTaken) else { continue }
      do {
        return .imported(try await importing.run(source, sizeLimit ?? part.sizeLimit))
      } catch let verdict as DropVerdict {
        return .verdict(verdict)
      } catch let error as TransferSource.Unreadable {
        return .unreadable(error.reason)
      } catch let error as CancellationError {
        throw error
      } catch {
        if Task.isCancelled { throw CancellationError() }
        failures.append("\(part.name): \(ErrorText.text(of: error))")
      }
    }
    return .failed(failures)
  }

  /// Reads a value, and throws if there is none.
  static func read(from source: TransferSource, sizeLimit: Int? = nil) async throws -> Self {
    switch try await imported(from: source, sizeLimit: sizeLimit) {
    case .imported(let value): return value
    case .verdict(let verdict): throw verdict
    case .unreadable(let error): throw TransferSource.Unreadable(reason: error)
    case .failed([]):
      let type = source.type.map { "from \($0)" } ?? "from anything"
      throw DropZoneError(.notImported, "\(Self.self) cannot be read \(type)")
    case .failed(let failures):
      throw DropZoneError(.notImported, "\(Self.self) cannot be read: " + failures.joined(separator: "; "))
    }
  }
}

extension TransferSource {
  fileprivate func isTaken(by type: ContentType) -> Bool {
    switch content {
    case .file(let file, _): type.takes(file)
    case .bytes: self.type.map { type.takes($0) } ?? true
    }
  }
}

extension ContentType {
  /// Whether an import of this type may read `file`.
  fileprivate func takes(_ file: DroppedFile) -> Bool {
    if takes(file.type) { return true }
    // The content says nothing about its type, and the zone took it anyway, so use the name.
    return file.grade == .unproved && file.claimedType.map { takes($0) } == true
  }

  fileprivate func takes(_ type: ContentType) -> Bool {
    type.conforms(to: recognized)
  }
}
