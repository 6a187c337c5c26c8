// All ways to declare how a value is read and written.
import DropZones

struct Picture: Codable, Transferable {
  var name: String

  init(_ bytes: [UInt8]) throws {
    name = "\(bytes.count)"
  }

  init(at file: String) {
    name = file
  }

  static func checked(_ text: String) throws -> Picture {
    guard !text.isEmpty else { throw DropVerdict.rejected("nothing is on it") }
    return Picture(at: text)
  }

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation()
      .suggestedFileName("picture.json")
      .sizeLimit(1 << 20)
    CodableRepresentation(for: Picture.self, contentType: .sketch)
    DataRepresentation(contentType: .png) { picture in
      Array(picture.name.utf8)
    } importing: {
      try Picture($0)
    }
    DataRepresentation(importedContentType: .tiff, importing: Picture.init(_:))
    FileRepresentation(importedContentType: .image) { received in
      Picture(at: received.isOriginalFile ? received.file : "moved")
    }
    FileRepresentation(exportedContentType: .jpeg) { SentTransferredFile($0.name) }
      .exportingCondition { !$0.name.isEmpty }
    ProxyRepresentation(exporting: \.name)
    ProxyRepresentation(exporting: \.name, importing: checked)
    ProxyRepresentation { (file: DroppedFile) in Picture(at: file.file) }
    Sketches()
  }
}

struct Sketches: TransferRepresentation {
  var body: some TransferRepresentation<Picture> {
    DataRepresentation(exportedContentType: .sketch) { Array($0.name.utf8) }
  }
}

extension ContentType {
  static let sketch = ContentType(
    exportedAs: "com.example.sketch", conformingTo: .json, filenameExtensions: ["sketch"],
    mimeType: "application/vnd.example.sketch+json")
}

struct Pair<First: Transferable, Second: Transferable>: Transferable {
  var first: First

  static var transferRepresentation: some TransferRepresentation<Pair> {
    ProxyRepresentation { (first: First) in Pair(first: first) }
  }
}
