import DropEngine
import Testing

/// Tests of the checks for text formats.
@Suite struct StructuralCheckTests {
  @Test(arguments: [
    ("{}", JSONCheck.document), ("[]", .document),
    (" [1, -2.5e+3, \"\\u00e9\\n\", true, false, null, {\"a\":[]}] ", .document),
    ("42", .scalar), ("\"x\"", .scalar), ("null", .scalar), ("-0.5E9", .scalar),
    ("{}\n{}", .lines), ("[1]\r\n{\"a\":2}\n", .lines),
  ])
  func `JSON is recognised`(text: String, expected: JSONCheck) {
    #expect(JSONCheck(text.utf8, isWhole: true) == expected)
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1 2]", "]", "}", "[}", "{]", "01",
    "1.",
    "1e", "-", "+1", "nul", "nulll", "'a'", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "{} {}", "1\n2", "{}\nx",
    "[1]]",
    "// c\n{}",
  ])
  func `text that is almost JSON is not JSON`(text: String) {
    #expect(JSONCheck(text.utf8, isWhole: true) == nil)
  }

  @Test func `JSON may be incomplete if only its beginning is known`() {
    let text = #"{"a":[1.5e3,"\u00e9",true,null]}"#
    for count in 1...text.utf8.count {
      #expect(JSONCheck(text.utf8.prefix(count), isWhole: false) == .document)
    }
    #expect(JSONCheck("{} x".utf8, isWhole: false) == nil)
  }

  @Test(arguments: [
    "a,b\n", "a,b,c\n1,2,3\n", "a;b\r\n1;2", "a\tb\n1\t2\n\n", "\"x, y\",b\n\"line\nbreak\",2\n",
    "\"\"\"q\"\"\",2\n3,4\n", "a,\n1,2\n",
    "a, b\n1, 2\n",
  ])
  func `tables are recognised`(text: String) {
    #expect(TableCheck.isTable(text.utf8, isWhole: true))
  }

  @Test(arguments: [
    "", "\n\n", "word\n", "one\ntwo\n", "a,b\nc\n", "a,b\n1,2,3\n", "Dear Sir, hello\n", "int a;\nint b;\n", "\"a,b\n",
    ",\n,\n",
  ])
  func `other text is not a table`(text: String) {
    #expect(!TableCheck.isTable(text.utf8, isWhole: true))
  }

  @Test func `the last record of a table may be incomplete if only the beginning is known`() {
    #expect(TableCheck.isTable("a,b\n1,2\n3".utf8, isWhole: false))
    #expect(!TableCheck.isTable("a,b\n1,2\n3".utf8, isWhole: true))
    #expect(TableCheck.isTable("a,b\n1,\"2".utf8, isWhole: false))
  }

  @Test(arguments: [
    "From: a@b\nTo: c@d\n\n", "Received: x\n by y\nSubject: z\n", "From a@b Mon\nFrom: a@b\nDate: x\n\n",
    "X-A: 1\r\nFROM: a\r\nto: b\r\n\r\nhi",
  ])
  func `mail headers are recognised`(text: String) {
    #expect(MailCheck.isMessage(text.utf8, isWhole: true))
  }

  @Test(arguments: [
    "", "\n", "hello\n", "From: a\n\n", "Subject: a\nTo: b\n\n", "From: a\nnonsense\nTo: b\n", " From: a\nTo: b\n",
    ": a\nFrom: b\nTo: c\n",
    "From here on, we go\nTo: b\n", "Note: this\nFrom: me, to you\n",
  ])
  func `other text has no mail header`(text: String) {
    #expect(!MailCheck.isMessage(text.utf8, isWhole: true))
  }

  @Test func `the root of XML is found after everything that may precede it`() throws {
    let text = """
      <?xml version="1.0"?><!-- <no> --><!DOCTYPE x [<!ENTITY a "]>">]>
      <?pi?><s:svg width='1' xmlns="urn:other" xmlns:s = "http://www.w3.org/2000/svg" >
      """
    let root = try #require(XMLRoot(text.utf8))
    #expect(root.name == XMLRoot.Name(namespace: "http://www.w3.org/2000/svg", element: "svg"))
    #expect(root.hasDeclaration)
  }

  @Test(arguments: [
    "", "a", "<", "<a", "<a b>", "<a b=c>", "<a b='c>", "<!-- ", "<?xml", "<!DOCTYPE a [", "< a>", "<1>", "<a/b>",
  ])
  func `text that is not the beginning of XML has no root`(text: String) {
    #expect(XMLRoot(text.utf8) == nil)
  }

  @Test(arguments: [
    ("#!/bin/sh", TextCheck.Signature.script), ("#! /bin/sh", .script), ("\n<?PHP ", .php),
    ("  <!DOCTYPE HTML>", .html),
    ("<!-- x --> <HTML>", .html), ("\u{FEFF}<html>", .html),
  ])
  func `content that is run or rendered has a signature`(text: String, signature: TextCheck.Signature) {
    #expect(TextCheck(Array(text.utf8))?.signature == signature)
  }

  @Test(arguments: ["", " #!/bin/sh", "#![allow(unused)]", "# <html>", "<h1 align=center>", "<!-- <html>", "see <?php"])
  func `text that only mentions a signature has none`(text: String) throws {
    #expect(try #require(TextCheck(Array(text.utf8))).signature == nil)
  }

  @Test func `text contains no control characters except those in logs`() {
    #expect(TextCheck([0x1B, 0x5B, 0x33, 0x6D, 0x41, 0x0D, 0x0A, 0x08, 0xE9]) != nil)
    for byte: UInt8 in [0, 1, 0x0E, 0x1A, 0x7F] { #expect(TextCheck([0x41, byte]) == nil) }
    #expect(TextCheck([0xFE, 0xFF, 0, 0x41])?.bytes.elementsEqual([0x41]) == true)
    #expect(TextCheck([0xFF, 0xFE, 0x41]) != nil)
  }
}
