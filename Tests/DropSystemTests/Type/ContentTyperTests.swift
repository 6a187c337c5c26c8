import DropEngine
import DropSystem
import Glibc
import Testing

private let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

/// Tests of files that other programs identified incorrectly.
@Suite struct ContentTyperTests {
  @Test func `a Word file is recognised, whatever its first member is, and without a name`() throws {
    let usual = ZipFile.bytes("[Content_Types].xml", "_rels/.rels", "word/document.xml")
    let other = ZipFile.bytes("_rels/.rels", "docProps/app.xml", "word/document.xml", "[Content_Types].xml")
    for (bytes, name) in [(usual, "ms.docx"), (other, "other.docx"), (other, "noext")] {
      let typed = try Typing.type(bytes, named: RawPath(name))
      #expect(typed.type == docx && typed.grade == .proved)
      #expect(try Typing.isTaken(typed, by: docx))
    }
  }

  @Test func `a zip that is not a Word file does not become one through its name`() throws {
    let typed = try Typing.type(ZipFile.bytes("a.txt", "b.txt"), named: "plain.docx")
    #expect(typed == TypedContent(type: "application/zip", claimedType: docx, grade: .contradicted))
    let spreadsheet = try Typing.type(ZipFile.bytes("[Content_Types].xml", "xl/workbook.xml"), named: "a.docx")
    #expect(spreadsheet.type == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    #expect(spreadsheet.grade == .contradicted)
  }

  @Test func `a Word file with macros is a different type, under either name`() throws {
    let bytes = ZipFile.bytes("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin")
    #expect(try !Typing.isTaken(Typing.type(bytes, named: "a.docx"), by: docx))
    #expect(try Typing.type(bytes, named: "a.docm").grade == .proved)
    let plain = ZipFile.bytes("[Content_Types].xml", "word/document.xml")
    #expect(try Typing.type(plain, named: "a.docm").grade == .contradicted)
  }

  @Test func `a template has the members of a document, so its name narrows it`() throws {
    let typed = try Typing.type(ZipFile.bytes("[Content_Types].xml", "word/document.xml"), named: "a.dotx")
    #expect(typed.type == "application/vnd.openxmlformats-officedocument.wordprocessingml.template")
    #expect(typed.grade == .narrowed)
  }

  @Test func `an encrypted Office file is an OLE container, whatever its name is`() throws {
    for bytes in [CompoundFile.bytes(), CompoundFile.bytes("EncryptionInfo", "EncryptedPackage")] {
      let typed = try Typing.type(bytes, named: "secret.docx")
      #expect(typed == TypedContent(type: "application/x-ole-storage", claimedType: docx, grade: .contradicted))
      #expect(try Typing.type(bytes, named: "secret.doc").grade == .contradicted)
    }
  }

  @Test func `the streams of an old Office file determine its type`() throws {
    let word = try Typing.type(CompoundFile.bytes("1Table", "WordDocument"), named: "a.doc")
    #expect(word == TypedContent(type: "application/msword", claimedType: "application/msword", grade: .proved))
    #expect(try Typing.type(CompoundFile.bytes("Workbook"), named: "a.doc").grade == .contradicted)
  }

  @Test(arguments: [#"{"a":[],"b":{}}"#, "[]", "\u{FEFF}{\"a\":1}", " {\n}\n"])
  func `JSON is recognised by its structure`(text: String) throws {
    let typed = try Typing.type(text, named: "a.json")
    #expect(typed == TypedContent(type: "application/json", claimedType: "application/json", grade: .proved))
    #expect(try Typing.type(text, named: "noext").type == "application/json")
  }

  @Test func `JSON lines are a separate type, and other text is not JSON`() throws {
    let lines = try Typing.type("{\"a\":1}\n{\"b\":2}\n", named: "c.json")
    #expect(lines.type == "application/x-ndjson")
    #expect(try !Typing.isTaken(lines, by: "application/json"))
    #expect(try Typing.isTaken(lines, by: "application/json", "application/x-ndjson"))
    let text = try Typing.type("not json", named: "d.json")
    #expect(text == TypedContent(type: "text/plain", claimedType: "application/json", grade: .contradicted))
  }

  @Test(arguments: [
    "From: a@example.org\nSubject: x\n\nhi\n",
    "MIME-Version: 1.0\nSubject: x\nFrom: a@example.org\n\nhi\n",
    "X-Mozilla-Status: 0001\nSubject: x\nFrom: a@example.org\nContent-Type: text/html\n\n<html><body>hi</body></html>\n",
  ])
  func `a message is recognised by its header, whichever field is first`(text: String) throws {
    #expect(try Typing.isTaken(Typing.type(text, named: "a.eml"), by: "message/rfc822"))
  }

  @Test func `a web page is not a message`() throws {
    let typed = try Typing.type("<html><p>no mail</p></html>", named: "d.eml")
    #expect(typed == TypedContent(type: "text/html", claimedType: "message/rfc822", grade: .contradicted))
    #expect(try Typing.type("From here on, nothing is mail.\n", named: "e.eml").grade == .contradicted)
  }

  @Test func `the brand of an ISO media file decides between audio and video`() throws {
    let sound = try Typing.type("\0\0\0\u{14}ftypM4A \0\0\0\0isom\0\0\0\u{8}free", named: "a.m4a")
    #expect(try sound.grade == .proved && Typing.isTaken(sound, by: "audio/mp4"))
    #expect(try Typing.isTaken(sound, by: "audio/x-m4a"))
    let generic = try Typing.type("\0\0\0\u{14}ftypisom\0\0\0\0M4A \0\0\0\u{8}free", named: "b.m4a")
    #expect(generic == TypedContent(type: "video/mp4", claimedType: "audio/mp4", grade: .contradicted))
    let film = try Typing.type("\0\0\0\u{14}ftypisom\0\0\0\0mp42\0\0\0\u{8}free", named: "c.mp4")
    #expect(film == TypedContent(type: "video/mp4", claimedType: "video/mp4", grade: .proved))
  }

  @Test(arguments: [
    ("heic\0\0\0\0mif1", "a.heic", "image/heic"), ("mif1\0\0\0\0heic", "b.heic", "image/heif"),
    ("avif\0\0\0\0mif1", "c.avif", "image/avif"), ("avis\0\0\0\0msf1", "d.avif", "image/avif"),
  ])
  func `photos in ISO media files are pictures`(brands: String, name: String, type: String) throws {
    let typed = try Typing.type("\0\0\0\u{14}ftyp\(brands)\0\0\0\u{8}free", named: RawPath(name))
    #expect(try typed.grade == .proved && Typing.isTaken(typed, by: type))
  }

  @Test func `an e-book is recognised wherever its mimetype member is`() throws {
    let epub = "application/epub+zip"
    let good = ZipFile.bytes("mimetype", "META-INF/container.xml")
    let late = ZipFile.bytes("META-INF/container.xml", "mimetype")
    #expect(try Typing.isTaken(Typing.type(good, named: "good.epub"), by: epub))
    #expect(try Typing.isTaken(Typing.type(late, named: "late.epub"), by: epub))
    let no = try Typing.type(ZipFile.bytes("a.txt"), named: "no.epub")
    #expect(no == TypedContent(type: "application/zip", claimedType: epub, grade: .contradicted))
    let text = ZipFile.bytes("mimetype", mimeType: "application/vnd.oasis.opendocument.text")
    #expect(try Typing.type(text, named: "a.epub").type == "application/vnd.oasis.opendocument.text")
  }

  @Test func `content that is run or rendered is recognised under a text name`() throws {
    #expect(try Typing.isTaken(Typing.type("hello\n", named: "a.txt"), by: "text/plain"))
    for (text, type) in [
      ("#!/bin/sh\nrm -rf x\n", "application/x-shellscript"), ("#!/opt/odd\n", "application/x-shellscript"),
      ("<html><script>alert(1)</script></html>", "text/html"), ("\n<?php system('x');", "application/x-php"),
      ("<!-- a --><script>alert(1)</script>", "text/html"),
      ("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/svg+xml"),
    ] {
      let typed = try Typing.type(text, named: "b.txt")
      #expect(typed.type == type)
      #expect(try !Typing.isTaken(typed, by: "text/plain"))
    }
  }

  @Test func `a web page in UTF-16 is recognised`() throws {
    let bytes = "<html><script>alert(1)</script>".utf16.flatMap { [UInt8](Int($0), count: 2) }
    #expect(try Typing.type([0xFF, 0xFE] + bytes, named: "a.txt").type == "text/html")
  }

  @Test func `the name distinguishes languages and style sheets`() throws {
    let style = try Typing.type(".a{color:red}\n", named: "d.css")
    #expect(style == TypedContent(type: "text/css", claimedType: "text/css", grade: .narrowed))
    let program = try Typing.type("import os\n\ndef main():\n    pass\n", named: "e.py")
    #expect(program.grade == .narrowed)
    #expect(try Typing.isTaken(program, by: "text/x-script.python"))
    for typed in [style, program] {
      #expect(try !Typing.isTaken(typed, by: "text/plain") && Typing.isTaken(typed, by: "text/plain+"))
    }
    // A rule's guess of a language does not count as proved.
    #expect(try Typing.type("import os\n\ndef main():\n    pass\n", named: "e.txt").type == "text/plain")
    #expect(try Typing.type("#include <a.h>\nint main() {}\n", named: "e.java").type == "text/x-java")
  }

  @Test func `content that the library calls data may still be text`() throws {
    let zeros = try Typing.type("000000000000000000000", named: "zeros.txt")
    #expect(try zeros.grade == .proved && Typing.isTaken(zeros, by: "text/plain"))
    let nul = try Typing.type(.zeros(4096), named: "nul.bin")
    #expect(nul.type == "application/octet-stream" && nul.grade == .unproved)
    #expect(try Typing.type(.zeros(4096), named: "nul.txt").grade == .unproved)
  }

  @Test func `a signature far from the start is found`() throws {
    let picture: [UInt8] = .zeros(128) + [UInt8]("DICM\u{2}\0\0\0UL\u{4}\0") + .zeros(40)
    #expect(try Typing.isTaken(Typing.type(picture, named: "a.dcm"), by: "application/dicom"))
    let disc: [UInt8] = .zeros(32768) + [UInt8]("\u{1}CD001\u{1}") + .zeros(8000)
    #expect(try Typing.isTaken(Typing.type(disc, named: "b.iso"), by: "application/x-iso9660-image"))
    #expect(try Typing.isTaken(Typing.type(disc, named: "b.iso"), by: "application/x-cd-image"))
    var header = [UInt8].zeros(512)
    header.replaceSubrange(0..<5, with: [UInt8]("a.txt"))
    header.replaceSubrange(100..<136, with: [UInt8]("0000644\u{0}0000000\u{0}0000000\u{0}00000000000\u{0}"))
    header.replaceSubrange(136..<148, with: [UInt8]("00000000000\u{0}"))
    header.replaceSubrange(148..<157, with: [UInt8]("        0"))
    header.replaceSubrange(257..<265, with: [UInt8]("ustar\u{0}00"))
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    header.replaceSubrange(148..<156, with: [UInt8](String(repeating: "0", count: 6 - sum.count) + sum + "\0 "))
    #expect(try Typing.isTaken(Typing.type(header + .zeros(1024), named: "c.tar"), by: "application/x-tar"))
  }

  @Test func `the type of a huge file is determined from its beginning and end`() throws {
    for head in [[UInt8](), [UInt8]("PK\u{3}\u{4}"), CompoundFile.bytes("Workbook"), [UInt8]("%PDF-1.4\n")] {
      let file = try Typing.file(head)
      #expect(ftruncate(file.number, 3 << 30) == 0)
      let typer = try Typing.typer()
      var typed: TypedContent?
      let took = try ContinuousClock().measure { typed = try typer.type(of: file, size: 3 << 30, name: "d.raw") }
      #expect(took < .seconds(20))
      #expect(typed?.grade != .narrowed)
      if head.isEmpty { #expect(typed?.type == "application/octet-stream" && typed?.grade == .unproved) }
    }
  }

  @Test func `both databases have a version and a date`() throws {
    let typer = try Typing.typer()
    let date = /[0-9]+\.[0-9]+ of [0-9]{4}-[0-9]{2}-[0-9]{2}/
    #expect(try date.wholeMatch(in: typer.libmagicVersion) != nil)
    #expect(try date.wholeMatch(in: typer.mimeInfoVersion) != nil)
  }
}
