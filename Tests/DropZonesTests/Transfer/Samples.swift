import DropZones
import Synchronization

/// A value with every kind of representation.
struct Paper: Codable, Hashable, Transferable {
  var title: String
  var pages = 1

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
      .exportingCondition { $0.pages < 100 }
    DataRepresentation(importedContentType: .html) { bytes in
      if bytes.count > 1_000 { throw DropVerdict.notYet("the archivist is away") }
      return Paper(title: "page of \(bytes.count) bytes")
    }
    FileRepresentation(importedContentType: .pdf) { received in
      Paper(title: received.file, pages: received.isOriginalFile ? 0 : 1)
    }
    ProxyRepresentation(exporting: \.title) { text in
      guard !text.isEmpty else { throw Refusal("there is nothing on it") }
      return Paper(title: text)
    }
  }
}

struct Refusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A type with two representations, each of which can fail, and which records the one that was used.
struct Either: Transferable, Hashable {
  let way: String

  static let asked = Mutex<[String]>([])

  static func way(_ name: String, _ bytes: [UInt8]) throws -> Either {
    asked.withLock { $0.append(name) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains(name) else { throw Refusal("no \(name) in it\n\u{1B}[31m") }
    return Either(way: name)
  }

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .json) { try way("first", $0) }
    DataRepresentation(importedContentType: .text) { try way("second", $0) }
  }
}

/// Takes images and archives with any content.
struct Anything: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    Both()
  }

  /// A program's own representation.
  struct Both: TransferRepresentation {
    var body: some TransferRepresentation<Anything> {
      FileRepresentation(importedContentType: .image) { _ in Anything() }
      FileRepresentation(importedContentType: .archive) { _ in Anything() }
    }
  }
}

/// Reads only a few bytes.
struct Note: Transferable {
  let text: String

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: \.text) { Note(text: $0) }
      .sizeLimit(5)
      .suggestedFileName("first.txt")
    DataRepresentation(exportedContentType: .html) { note in Array("<p>\(note.text)</p>".utf8) }
      .suggestedFileName { $0.text.isEmpty ? nil : "\($0.text).note" }
  }
}
