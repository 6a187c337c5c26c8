/// A type that a payload can be read as, and whose values can be written.
///
///     struct Invoice: Codable, Transferable {
///       let number: String
///
///       static var transferRepresentation: some TransferRepresentation {
///         CodableRepresentation(contentType: .json)
///         FileRepresentation(importedContentType: .pdf) { received in try Invoice(readingPDFAt: received.file) }
///       }
///     }
///
/// The order matters: the first representation whose type fits the content, and which succeeds, is used.
public protocol Transferable: Sendable {
  /// The type of `transferRepresentation`.
  associatedtype Representation: TransferRepresentation

  /// The representations for reading and writing a value, the most faithful one first.
  @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

extension Transferable {
  /// Returns the types of content that a value can be read from, in the order in which they are tried.
  public static func importedContentTypes() -> [ContentType] {
    unique(transferParts.flatMap { $0.importing?.types ?? [] })
  }

  /// Returns the types of content that a value can be written as, in the order in which they are tried.
  public static func exportedContentTypes() -> [ContentType] {
    unique(transferParts.flatMap { $0.exporting?.types ?? [] })
  }

  /// The single representations that the type declares.
  ///
  /// This is empty if the type declares the representation of another type. The builder refuses this, but a plain `return`
  /// does not.
  static var transferParts: [TransferPart<Self>] {
    transferRepresentation.parts as? [TransferPart<Self>] ?? []
  }

  private static func unique(_ types: [ContentType]) -> [ContentType] {
    var seen: Set<ContentType> = []
    return types.filter { seen.insert($0).inserted }
  }
}
