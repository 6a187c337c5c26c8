import DropZones

struct Invoice: Codable, Transferable {
  let number: String
  let cents: Int

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
    DataRepresentation(importedContentType: .pdf) { bytes in try Invoice(titleOf: bytes) }
  }

  /// Reads the title of a PDF, in which our customers' programs write the number and the amount.
  private init(titleOf bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let title = text.firstMatch(of: /\/Title *\(Invoice ([^ )]+), ([0-9]+) cents\)/), let cents = Int(title.2)
    else { throw DropVerdict.rejected("its title is not like 'Invoice 2024-7, 1900 cents'") }
    number = String(title.1)
    self.cents = cents
  }
}
