extension Transferable {
  /// The value as bytes of a type.
  ///
  /// Of the representations whose condition holds the first one is taken that gives the type itself, else the first
  /// that gives a kind of it; where one fails, the next.
  ///
  /// - Throws: `DropZoneError` that says what each representation says.
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
    let what = "\(Self.self) gives no \(contentType)"
    throw DropZoneError(.notExported, failures.isEmpty ? what : what + ": " + failures.joined(separator: "; "))
  }

  /// What a file with the value is to be called: the last name that its representations give.
  package var suggestedFileName: String? {
    Self.transferParts.flatMap(\.suggestedFileNames).reversed().lazy.compactMap { $0(self) }.first
  }
}
