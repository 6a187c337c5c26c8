import DropEngine
import DropSystem
import Testing

/// Tests of all kinds of content with wrong names.
@Suite struct RenameAttackTests {
  static let contents: [String: [UInt8]] = [
    "empty": [],
    "zeros": .zeros(4096),
    "random": (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) | 1 },
    "text": [UInt8]("Dear Sir,\nplease find enclosed nothing.\n"),
    "table": [UInt8]("a,b,c\n1,2,3\n"),
    "JSON": [UInt8](#"{"a":1}"#),
    "script": [UInt8]("#!/bin/sh\necho\n"),
    "page": [UInt8]("<!DOCTYPE html><html></html>"),
    "XML": [UInt8]("<?xml version='1.0'?><a/>"),
    "SVG": [UInt8]("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "mail": [UInt8]("From: a@example.org\nTo: b@example.org\n\nhi\n"),
    "zip": ZipFile.bytes("a.txt"),
    "zip of pictures": ZipFile.bytes("a.jpg", "b.jpg"),
    "spreadsheet": ZipFile.bytes("[Content_Types].xml", "xl/workbook.xml"),
    "parts of two": ZipFile.bytes("[Content_Types].xml", "xl/workbook.xml", "word/document.xml"),
    "parts without a list": ZipFile.bytes("word/document.xml"),
    "book": ZipFile.bytes("mimetype", "META-INF/container.xml"),
    "zip that says it is a picture": ZipFile.bytes("mimetype", mimeType: "image/jpeg"),
    "zip that says it is a Word file": ZipFile.bytes("mimetype", mimeType: docx),
    "cut Word file": Array(ZipFile.bytes("[Content_Types].xml", "_rels/.rels", "word/document.xml").prefix(120)),
    "OLE": CompoundFile.bytes(),
    "sealed Office file": CompoundFile.bytes("EncryptedPackage"),
    "old Word file": CompoundFile.bytes("WordDocument"),
    "gzip": [0x1F, 0x8B, 8, 0] + .zeros(32),
    "PNG": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D] + [UInt8]("IHDR") + .zeros(16),
    "GIF": [UInt8]("GIF89a") + .zeros(16),
    "TIFF": [UInt8]("II*\0\u{8}\0\0\0") + .zeros(16),
    "PostScript": [UInt8]("%!PS-Adobe-3.0\n"),
    "ELF": [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + .zeros(8) + [2, 0, 62, 0, 1, 0, 0, 0] + .zeros(40),
    "program": [UInt8]("MZ") + .zeros(58) + [64, 0, 0, 0] + [UInt8]("PE\0\0") + .zeros(64),
    "film": [UInt8]("\0\0\0\u{14}ftypisom\0\0\0\0mp42\0\0\0\u{8}free"),
    "nearly JPEG": [0xFF, 0xD8] + .zeros(64),
    "nearly PDF": [UInt8]("%PD") + .zeros(64),
    "PDF far from the start": .zeros(2000) + [UInt8]("%PDF-1.4\n"),
  ]

  private static let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

  @Test(arguments: [
    ("a.jpg", "image/jpeg", "image/*"), ("a.JPEG", "image/jpeg", "public.jpeg"),
    ("a.pdf", "application/pdf", "com.adobe.pdf"),
    ("a.docx", docx, "org.openxmlformats.wordprocessingml.document"),
  ])
  func `no file is a picture, a PDF or a Word file because of its name`(name: String, type: String, pattern: String)
    throws
  {
    for (content, bytes) in Self.contents {
      let typed = try Typing.type(bytes, named: RawPath(name))
      #expect(typed.type != type, "\(content)")
      #expect(typed.claimedType == type)
      #expect(try !Typing.isTaken(typed, by: type), "\(content)")
      // Real pictures are pictures under the name of any picture type.
      if !["PNG", "GIF", "TIFF", "SVG"].contains(content) {
        #expect(try !Typing.isTaken(typed, by: pattern), "\(content)")
      }
    }
  }

  @Test(arguments: [
    "a.csv", "a.json", "a.eml", "a.xml", "a.svg", "a.vcf", "a.rtf", "a.doc", "a.xlsx", "a.epub", "a.mp4",
  ])
  func `a type with its own format is not given by the name alone`(name: String) throws {
    let own: [String: Set<String>] = [
      "a.csv": ["table"], "a.json": ["JSON"], "a.eml": ["mail"], "a.xml": ["XML", "SVG"], "a.svg": ["SVG"],
      "a.doc": ["old Word file"], "a.xlsx": ["spreadsheet"], "a.epub": ["book"], "a.mp4": ["film"], "a.vcf": [],
      "a.rtf": [],
    ]
    let claimed = try #require(try Typing.typer().claimedType(of: RawPath(name)))
    for (content, bytes) in Self.contents where own[name]?.contains(content) != true {
      #expect(try !Typing.isTaken(Typing.type(bytes, named: RawPath(name)), by: claimed), "\(content)")
    }
  }
}
