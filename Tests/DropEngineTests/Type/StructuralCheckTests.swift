import DropEngine
import Testing

/// Looks at the form of text.
@Suite struct StructuralCheckTests {
  @Test(arguments: [
    ("{}", JSONCheck.document), ("[]", .document),
    (" [1, -2.5e+3, \"\\u00e9\\n\", true, false, null, {\"a\":[]}] ", .document),
    ("42", .scalar), ("\"x\"", .scalar), ("null", .scalar), ("-0.5E9", .scalar),
    ("{}\n{}", .lines), ("[1]\r\n{\"a\":2}\n", .lines),
  ])
  func `JSON is JSON`(text: String, expected: JSONCheck) {
    #expect(JSONCheck(text.utf8, isWhole: true) == expected)
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1 2]", "]", "}", "[}", "{]", "01",
    "1.",
    "1e", "-", "+1", "nul", "nulll", "'a'", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "{} {}", "1\n2", "{}\nx",
    "[1]]",
    "// c\n{}",
  ])
  func `what is nearly JSON is not`(text: String) {
    #expect(JSONCheck(text.utf8, isWhole: true) == nil)
  }

  @Test func `JSON may break off where only its beginning is seen`() {
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
  func `a table is a table`(text: String) {
    #expect(TableCheck.isTable(text.utf8, isWhole: true))
  }

  @Test(arguments: [
    "", "\n\n", "word\n", "one\ntwo\n", "a,b\nc\n", "a,b\n1,2,3\n", "Dear Sir, hello\n", "int a;\nint b;\n", "\"a,b\n",
    ",\n,\n",
  ])
  func `other text is none`(text: String) {
    #expect(!TableCheck.isTable(text.utf8, isWhole: true))
  }

  @Test func `a table's last record may be cut where only its beginning is seen`() {
    #expect(TableCheck.isTable("a,b\n1,2\n3".utf8, isWhole: false))
    #expect(!TableCheck.isTable("a,b\n1,2\n3".utf8, isWhole: true))
    #expect(TableCheck.isTable("a,b\n1,\"2".utf8, isWhole: false))
  }

  @Test(arguments: [
    "From: a@b\nTo: c@d\n\n", "Received: x\n by y\nSubject: z\n", "From a@b Mon\nFrom: a@b\nDate: x\n\n",
    "X-A: 1\r\nFROM: a\r\nto: b\r\n\r\nhi",
  ])
  func `a header is one`(text: String) {
    #expect(MailCheck.isMessage(text.utf8, isWhole: true))
  }

  @Test(arguments: [
    "", "\n", "hello\n", "From: a\n\n", "Subject: a\nTo: b\n\n", "From: a\nnonsense\nTo: b\n", " From: a\nTo: b\n",
    ": a\nFrom: b\nTo: c\n",
    "From here on, we go\nTo: b\n", "Note: this\nFrom: me, to you\n",
  ])
  func `other text has none`(text: String) {
    #expect(!MailCheck.isMessage(text.utf8, isWhole: true))
  }

  @Test func `the root of XML is found behind what may stand before it`() throws {
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
  func `what is no beginning of XML has no root`(text: String) {
    #expect(XMLRoot(text.utf8) == nil)
  }

  @Test(arguments: [
    ("#!/bin/sh", TextCheck.Signature.script), ("#! /bin/sh", .script), ("\n<?PHP ", .php),
    ("  <!DOCTYPE HTML>", .html),
    ("<!-- x --> <HTML>", .html), ("\u{FEFF}<html>", .html),
  ])
  func `what is run or shown announces itself`(text: String, signature: TextCheck.Signature) {
    #expect(TextCheck(Array(text.utf8))?.signature == signature)
  }

  @Test(arguments: ["", " #!/bin/sh", "#![allow(unused)]", "# <html>", "<h1 align=center>", "<!-- <html>", "see <?php"])
  func `what only mentions it does not`(text: String) throws {
    #expect(try #require(TextCheck(Array(text.utf8))).signature == nil)
  }

  @Test func `text has no control characters but those that logs have`() {
    #expect(TextCheck([0x1B, 0x5B, 0x33, 0x6D, 0x41, 0x0D, 0x0A, 0x08, 0xE9]) != nil)
    for byte: UInt8 in [0, 1, 0x0E, 0x1A, 0x7F] { #expect(TextCheck([0x41, byte]) == nil) }
    #expect(TextCheck([0xFE, 0xFF, 0, 0x41])?.bytes.elementsEqual([0x41]) == true)
    #expect(TextCheck([0xFF, 0xFE, 0x41]) != nil)
  }
}
