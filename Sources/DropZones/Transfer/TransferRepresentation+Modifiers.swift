extension TransferRepresentation {
  /// Suggests a name for a file with the value. If a type's representations have several, the last one applies to all.
  public func suggestedFileName(_ name: String) -> some TransferRepresentation<Item> {
    changing { $0.suggestedFileNames.append { _ in name } }
  }

  /// Suggests a name for a file with the value. If several closures return a name, the last one applies to all.
  public func suggestedFileName(
    _ name: @escaping @Sendable (Item) -> String?
  ) -> some TransferRepresentation<Item> {
    changing { $0.suggestedFileNames.append(name) }
  }

  /// Uses this representation for writing only if a condition is true. If there are several conditions, all must be true.
  public func exportingCondition(
    _ condition: @escaping @Sendable (Item) -> Bool
  ) -> some TransferRepresentation<Item> {
    changing { $0.exportingConditions.append(condition) }
  }

  /// Limits the number of bytes that may be read into memory. The default is 64 MiB. Larger content cannot be read with
  /// this representation.
  ///
  /// A `FileRepresentation` does not read content itself, and takes files of any size.
  public func sizeLimit(_ bytes: Int) -> some TransferRepresentation<Item> {
    changing { $0.sizeLimit = bytes }
  }

  private func changing(_ change: (inout TransferPart<Item>) -> Void) -> TransferRepresentations<Item> {
    TransferRepresentations(
      parts.map { part in
        var part = part
        change(&part)
        return part
      })
  }
}
