import DropEngine
import Testing

/// Tests of the decision alone: from two answers and a claim to a type and a grade.
@Suite struct TypeDecisionTests {
  private let decision = TypeDecision(Self.hierarchy)

  /// A small database with the relevant types.
  static let hierarchy = TypeHierarchy([
    MIMEFiles(
      types: Array(
        """
        text/plain
        text/csv
        text/html
        text/x-python
        text/x-log
        text/vcard
        application/json
        application/geo+json
        application/javascript
        application/xml
        application/gpx+xml
        application/x-shellscript
        application/x-executable
        image/svg+xml
        image/jpeg
        image/tiff
        image/x-raw
        audio/ogg
        audio/x-vorbis+ogg
        application/ogg
        application/zip
        application/x-ole-storage
        application/octet-stream
        message/rfc822
        inode/directory

        """.utf8),
      aliases: Array("image/jpg image/jpeg\ntext/xml application/xml\n".utf8),
      subclasses: Array(
        """
        application/json application/javascript
        application/javascript text/plain
        application/geo+json application/json
        application/xml text/plain
        application/gpx+xml text/xml
        image/svg+xml application/xml
        application/x-shellscript text/plain
        application/x-shellscript application/x-executable
        image/x-raw image/tiff
        audio/x-vorbis+ogg audio/ogg
        audio/ogg application/ogg
        message/rfc822 text/plain

        """.utf8),
      magic: Array(
        "MIME-Magic\0\n[50:image/jpeg]\n>0=..\n[80:image/svg+xml]\n[50:text/vcard]\n[50:audio/x-vorbis+ogg]\n".utf8),
      roots: Array("http://www.w3.org/2000/svg svg image/svg+xml\n".utf8))
  ])

  private func judge(
    _ head: [UInt8], rules: String, magic: String? = nil, claims: String...
  ) -> TypedContent {
    decision.judge(ContentEvidence(head: head, isWhole: true, rules: rules, magic: magic), claims: claims)
  }

  private let binary: [UInt8] = [0, 1, 2, 3]

  @Test func `for binary content, libmagic's answer counts if it is specific`() {
    #expect(judge(binary, rules: "image/tiff", magic: "audio/ogg").type == "audio/ogg")
    #expect(judge(binary, rules: "image/tiff", magic: "application/octet-stream").type == "image/tiff")
    #expect(judge(binary, rules: "image/tiff", magic: "text/plain").type == "image/tiff")
    #expect(judge(binary, rules: "application/octet-stream", magic: "audio/ogg").type == "audio/ogg")
    #expect(judge(binary, rules: "audio/x-vorbis+ogg", magic: "audio/ogg").type == "audio/x-vorbis+ogg")
    #expect(judge(binary, rules: "image/tiff").type == "image/tiff")
  }

  @Test func `for binary content, a guess of a language does not count`() {
    #expect(judge(binary, rules: "text/x-python", magic: "text/x-c").grade == .unproved)
    #expect(judge(binary, rules: "application/octet-stream", magic: "text/x-c++").type == "application/octet-stream")
  }

  @Test func `libmagic's names are replaced by the database's names`() {
    #expect(judge(binary, rules: .octetStream, magic: "application/CDFV2").type == "application/x-ole-storage")
    #expect(judge(binary, rules: .octetStream, magic: "image/jpg").type == "application/octet-stream")
    #expect(judge([0xFF, 0xD8, 0xFF, 0], rules: .octetStream, magic: "image/jpg").type == "image/jpeg")
  }

  @Test func `the rules determine the type of text, except for languages`() {
    let text = Array("import os\n".utf8)
    #expect(judge(text, rules: "text/x-python", magic: "text/x-c").type == "text/plain")
    #expect(judge(text, rules: "text/vcard").type == "text/vcard")
    #expect(judge(text, rules: .octetStream).type == "text/plain")
    #expect(judge(text, rules: "text/x-python", claims: "text/x-python").grade == .narrowed)
    #expect(judge(Array("#!/usr/bin/python\n".utf8), rules: "text/x-python").type == "text/x-python")
  }

  @Test func `libmagic is asked only if it could change the decision`() {
    func needs(_ text: String, _ rules: String) -> Bool {
      decision.needsMagic(ContentEvidence(head: Array(text.utf8), isWhole: true, rules: rules))
    }
    #expect(!needs("hello", "text/plain") && !needs("hello", "application/octet-stream") && !needs("", "text/plain"))
    #expect(!needs("<?xml version='1.0'?><a/>", "application/xml") && !needs("#!/bin/sh", "application/x-shellscript"))
    #expect(needs("#!/usr/bin/odd", "text/plain") && needs("BM", "image/tiff") && needs("a\0b", "text/plain"))
  }

  @Test func `the rules are skipped only if they could not change the decision`() {
    #expect(!decision.needsRules(beside: "image/tiff") && decision.needsRules(beside: "application/zip"))
    #expect(decision.needsRules(beside: nil) && decision.needsRules(beside: .octetStream))
    #expect(decision.needsRules(beside: "application/xml"))
    // A signature may prove a subtype.
    #expect(decision.needsRules(beside: "audio/ogg") && decision.needsRules(beside: "application/ogg"))
    let answers = Self.hierarchy.signedTypes.union([.plainText, .octetStream])
    for magic in Self.hierarchy.types where !decision.needsRules(beside: magic) {
      for rules in answers {
        #expect(judge(binary, rules: rules, magic: magic) == judge(binary, rules: .octetStream, magic: magic))
      }
    }
  }

  @Test func `libmagic is asked first if the content is neither text nor a container`() {
    func begins(_ head: [UInt8]) -> Bool { decision.beginsWithMagic(ContentEvidence(head: head, isWhole: true)) }
    #expect(begins(binary) && !begins(Array("hello".utf8)) && !begins([]))
  }

  @Test func `a claim that is less specific than the proof is not contradicted`() {
    let page = Array("<html></html>".utf8)
    #expect(judge(page, rules: "text/html", claims: "text/plain").grade == .proved)
    #expect(judge(page, rules: "text/html", claims: "application/octet-stream").grade == .proved)
    #expect(judge(page, rules: "text/html", claims: "image/jpeg").grade == .contradicted)
    #expect(judge(page, rules: "text/html").grade == .proved)
  }

  @Test func `a claim narrows only to types that the content cannot distinguish`() {
    let raw = judge(binary, rules: "image/tiff", magic: "image/tiff", claims: "image/x-raw")
    #expect(raw == TypedContent(type: "image/x-raw", claimedType: "image/x-raw", grade: .narrowed))
    let text = Array("hello".utf8)
    #expect(judge(text, rules: "text/plain", claims: "text/x-log").grade == .narrowed)
    #expect(judge(text, rules: "text/plain", claims: "text/vcard").grade == .contradicted)
    #expect(judge(text, rules: "text/plain", claims: "image/svg+xml").grade == .contradicted)
    #expect(judge(text, rules: "text/plain", claims: "text/csv").grade == .contradicted)
    #expect(judge(binary, rules: .octetStream, claims: "image/x-raw").grade == .unproved)
    #expect(judge(binary, rules: .octetStream, claims: "text/x-log").type == "application/octet-stream")
  }

  @Test func `of several claims, the first one that is true counts`() {
    let typed = judge(Array("hello".utf8), rules: "text/plain", claims: "image/jpeg", "text/x-log")
    #expect(typed == TypedContent(type: "text/x-log", claimedType: "text/x-log", grade: .narrowed))
    let neither = judge(Array("hello".utf8), rules: "text/plain", claims: "image/jpeg", "image/tiff")
    #expect(neither.claimedType == "image/jpeg" && neither.grade == .contradicted)
  }

  @Test func `a subtype of JSON or XML must be valid JSON or XML`() {
    let object = Array("{}".utf8)
    #expect(judge(object, rules: "text/plain", claims: "application/geo+json").grade == .narrowed)
    #expect(judge(Array("hello".utf8), rules: "text/plain", claims: "application/geo+json").grade == .contradicted)
    #expect(
      judge(Array("#!/x".utf8), rules: "application/javascript", claims: "application/json").grade == .contradicted)
    #expect(judge(Array("<gpx a='b'/>".utf8), rules: "text/plain", claims: "application/gpx+xml").grade == .narrowed)
    #expect(judge(Array("<gpx a=b/>".utf8), rules: "text/plain", claims: "application/gpx+xml").grade == .contradicted)
    #expect(judge(Array("<?xml?><a/>".utf8), rules: "application/xml", claims: "image/svg+xml").grade == .contradicted)
    #expect(judge(Array("<?xml?><svg/>".utf8), rules: "application/xml", claims: "image/svg+xml").grade == .narrowed)
  }

  @Test func `a log may have any text format`() {
    let lines = judge(Array("{\"a\":1}\n{\"a\":2}\n".utf8), rules: "text/plain", claims: "text/x-log")
    #expect(lines == TypedContent(type: "application/x-ndjson", claimedType: "text/x-log", grade: .proved))
  }

  @Test func `the members determine the type of a zip file, not its first bytes`() {
    var evidence = ContentEvidence(head: Array("PK\u{3}\u{4}\0".utf8), isWhole: true, rules: "application/zip")
    evidence.magic = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    let claim = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    #expect(decision.judge(evidence, claims: [claim]).type == claim)
    // If the database has it as a subtype of zip, only the members can prove it.
    let hierarchy = TypeHierarchy([
      MIMEFiles(types: Array("application/zip\n\(claim)\n".utf8), subclasses: Array("\(claim) application/zip\n".utf8))
    ])
    #expect(TypeDecision(hierarchy).judge(evidence, claims: [claim]).type == "application/zip")
  }
}
