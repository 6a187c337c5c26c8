internal import DropEngine

/// What came of reading a payload as a value.
package enum ImportOutcome<Item: Sendable>: Sendable {
  case imported(Item)
  /// An import threw a verdict, which is that of the payload.
  case verdict(DropVerdict)
  /// What each representation that the payload's type fits said, in order; empty when it fits none.
  case failed([String])
  /// The payload could not be read just now: no word on what it is.
  case unreadable(DropZoneError)
}

extension Transferable {
  /// Reads a payload as a value, by the first representation that it fits and that succeeds.
  ///
  /// - Parameters:
  ///   - file: The payload, where it lies now.
  ///   - isOriginalFile: Whether it stays with its sender, as it does where the zone copies.
  /// - Throws: Only when the task was cancelled meanwhile.
  package static func imported(
    from file: DroppedFile, isOriginalFile: Bool
  ) async throws(CancellationError) -> ImportOutcome<Self> {
    let source = TransferSource(content: .file(file, isOriginalFile: isOriginalFile), type: file.type)
    return try await imported(from: source, sizeLimit: nil)
  }

  /// Whether any representation takes what `file` is.
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

  /// The same for who wants a value or an error.
  static func read(from source: TransferSource, sizeLimit: Int? = nil) async throws -> Self {
    switch try await imported(from: source, sizeLimit: sizeLimit) {
    case .imported(let value): return value
    case .verdict(let verdict): throw verdict
    case .unreadable(let error): throw TransferSource.Unreadable(reason: error)
    case .failed([]):
      let type = source.type.map { "what is \($0)" } ?? "anything"
      throw DropZoneError(.notImported, "no \(Self.self) is made of \(type)")
    case .failed(let failures):
      throw DropZoneError(.notImported, "no \(Self.self): " + failures.joined(separator: "; "))
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
  /// Whether an import that asks for this type gets `file`.
  fileprivate func takes(_ file: DroppedFile) -> Bool {
    if takes(file.type) { return true }
    // The content says nothing, and the zone took it all the same: the name is all there is to go by.
    return file.grade == .unproved && file.claimedType.map { takes($0) } == true
  }

  fileprivate func takes(_ type: ContentType) -> Bool {
    type.conforms(to: recognized)
  }
}
