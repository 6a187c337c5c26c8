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
/// Order counts: the first representation whose type the content is of, and which makes a value of it, is taken.
public protocol Transferable: Sendable {
  /// What `transferRepresentation` is.
  associatedtype Representation: TransferRepresentation

  /// The ways to read and write a value, the most faithful one first.
  @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

extension Transferable {
  /// The types of content that a value can be made of, in the order in which they are tried.
  public static func importedContentTypes() -> [ContentType] {
    unique(transferParts.flatMap { $0.importing?.types ?? [] })
  }

  /// The types of content that a value can be written as, in the order in which they are tried.
  public static func exportedContentTypes() -> [ContentType] {
    unique(transferParts.flatMap { $0.exporting?.types ?? [] })
  }

  /// What it declares, one by one.
  ///
  /// Nothing where it declares the representation of another type, which the builder refuses and a plain `return` does not.
  static var transferParts: [TransferPart<Self>] {
    transferRepresentation.parts as? [TransferPart<Self>] ?? []
  }

  private static func unique(_ types: [ContentType]) -> [ContentType] {
    var seen: Set<ContentType> = []
    return types.filter { seen.insert($0).inserted }
  }
}
