extension Transferable {
  /// Returns the value as bytes of a type.
  ///
  /// This uses the first representation whose conditions are true and which writes the type itself, or else the first that
  /// writes a type that conforms to it. If a representation fails, the next one is tried.
  ///
  /// - Throws: `DropZoneError`, with the reason of each representation.
  public func exported(as contentType: ContentType) async throws -> [UInt8] {
    let written = try await written(as: contentType)
    return try written.output.bytes(upTo: written.sizeLimit)
  }

  func written(as contentType: ContentType) async throws -> (output: TransferOutput, type: ContentType, sizeLimit: Int)
  {
    var failures: [String] = []
    let parts = Self.transferParts.filter { part in part.exportingConditions.allSatisfy { $0(self) } }
    let ways = parts.flatMap { part in (part.exporting?.types ?? []).map { (part: part, type: $0) } }
    let kinds = ways.filter { $0.type != contentType && $0.type.conforms(to: contentType) }
    for (part, type) in ways.filter({ $0.type == contentType }) + kinds {
      guard let exporting = part.exporting else { continue }
      do {
        return (try await exporting.run(self, type), type, part.sizeLimit ?? .usualSizeLimit)
      } catch let error as CancellationError {
        throw error
      } catch {
        failures.append("\(part.name): \(ErrorText.text(of: error))")
      }
    }
    let message = "\(Self.self) cannot be written as \(contentType)"
    throw DropZoneError(.notExported, failures.isEmpty ? message : message + ": " + failures.joined(separator: "; "))
  }

  /// The name for a file with the value: the last name that its representations suggest.
  package var suggestedFileName: String? {
    Self.transferParts.flatMap(\.suggestedFileNames).reversed().lazy.compactMap { $0(self) }.first
  }
}
