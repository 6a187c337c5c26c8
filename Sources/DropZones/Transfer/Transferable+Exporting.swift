extension Transferable {
  /// The value as bytes of a type: by the first representation that gives that type or a kind of it, whose condition
  /// holds and which succeeds.
  ///
  /// - Throws: `DropZoneError` that says what each representation says.
  public func exported(as contentType: ContentType) async throws -> [UInt8] {
    let written = try await written(as: contentType)
    return try written.output.bytes(upTo: written.sizeLimit)
  }

  func written(as contentType: ContentType) async throws -> (output: TransferOutput, type: ContentType, sizeLimit: Int)
  {
    var failures: [String] = []
    for part in Self.transferParts {
      guard let exporting = part.exporting, let type = exporting.types.first(where: { $0.conforms(to: contentType) }),
        part.exportingConditions.allSatisfy({ $0(self) })
      else { continue }
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
