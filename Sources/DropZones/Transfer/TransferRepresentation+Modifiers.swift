extension TransferRepresentation {
  /// What a file with the value is to be called; of several in a type's representations the last one holds for all.
  public func suggestedFileName(_ name: String) -> some TransferRepresentation<Item> {
    changing { $0.suggestedFileNames.append { _ in name } }
  }

  /// What a file with the value is to be called; of several that give a name the last one holds for all.
  public func suggestedFileName(
    _ name: @escaping @Sendable (Item) -> String?
  ) -> some TransferRepresentation<Item> {
    changing { $0.suggestedFileNames.append(name) }
  }

  /// Whether a value is to be written in this way; of several conditions all must hold.
  public func exportingCondition(
    _ condition: @escaping @Sendable (Item) -> Bool
  ) -> some TransferRepresentation<Item> {
    changing { $0.exportingConditions.append(condition) }
  }

  /// How many bytes may be read into memory, 64 MiB unless said; what has more does not fit this way.
  ///
  /// A `FileRepresentation` reads nothing itself and takes files of any size.
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
