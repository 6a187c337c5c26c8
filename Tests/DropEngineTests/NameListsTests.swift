import Testing

@testable import DropEngine

@Suite struct NameListsTests {
  let lists: NameLists

  init() throws {
    lists = try NameLists(ignore: ["*.bak"], temporary: ["up-*", "*.uploading", "Thumbs.*"])
  }

  @Test func `every built-in pattern compiles`() {
    #expect(NameLists.shippedJunk.count == NameLists.junkPatterns.count)
    #expect(NameLists.shippedTemporary.count == NameLists.temporaryPatterns.count)
    for glob in NameLists.shippedJunk + NameLists.shippedTemporary { #expect(!glob.matchesEverything) }
  }

  @Test(arguments: [
    ".DS_Store", ".ds_store", "._a.pdf", ".localized", ".AppleDouble", ".Spotlight-V100", "Thumbs.db", "THUMBS.DB",
    "ehthumbs.db", "desktop.ini", "Desktop.ini", "a.pdf:Zone.Identifier", "@eaDir", ".stversions", ".stfolder",
    ".snapshots", ".Trash-1000", ".nfs000000000001", "Icon\r", "a.bak", ".dropzone-hold", ".dropzone-01h", ".dropzone-",
    ".dropzone-put-",
  ])
  func `junk is left alone`(name: String) {
    #expect(lists.kind(of: RawPath(name)) == .junk)
  }

  @Test(arguments: [
    "a.part", "a.filepart", "a.crdownload", "a.partial", "a.download", "a.tmp", "A.TMP", "a.!ut", "a.aria2", "a~",
    "~$a.docx", ".~lock.a.odt#", ".~tmp~", ".a", ".bashrc", ".a.part", ".syncthing.a.tmp", "~syncthing~a.tmp",
    ".in.a.zip.", ".goutputstream-AB12CD", "up-1", "a.uploading", ".a.AbCdE", ".a.AbCdEfG", ".a.AbC-Ef", "..AbCdEf",
    ".dropzone-put-01h455vb4pex5vsknk084sn02q",
  ])
  func `temporary names are recognised`(name: String) {
    #expect(lists.kind(of: RawPath(name)) == .temporary(renamesFailures: false))
  }

  @Test(arguments: [".a.zip.AbCdEf", ".a.123456", ".a b.zZ09aA", ".a..AbCdEf"])
  func `rsync's names are also renamed after a failure`(name: String) {
    #expect(lists.kind(of: RawPath(name)) == .temporary(renamesFailures: true))
  }

  @Test(arguments: [
    "a", "a.pdf", "part", "a.parts", "a.zip.AbCdEf", "Icon", "dropzone-1", "$a", "~a", "nfs1", "DS_Store", "a.tmpl",
  ])
  func `other names are ordinary`(name: String) {
    #expect(lists.kind(of: RawPath(name)) == .ordinary)
  }

  @Test func `names with any bytes have a kind`() {
    #expect(lists.kind(of: RawPath(bytes: [])) == .ordinary)
    #expect(lists.kind(of: RawPath(bytes: [0xFF])) == .ordinary)
    #expect(lists.kind(of: RawPath(bytes: [0x2E, 0xFF])) == .temporary(renamesFailures: false))
    #expect(
      lists.kind(of: RawPath(bytes: [0x2E, 0xFF, 0x2E] + Array("AbCdEf".utf8))) == .temporary(renamesFailures: true))
    #expect(lists.kind(of: RawPath(bytes: [UInt8](repeating: .dot, count: 100_000))).isTemporary)
    _ = lists.target(of: RawPath(bytes: [UInt8](repeating: .dot, count: 100_000)))
  }

  @Test(arguments: [
    ("a/b.pdf", NameKind.ordinary), ("a.part/b.pdf", .temporary(renamesFailures: false)),
    (".~tmp~/f1.pdf", .temporary(renamesFailures: false)), ("x/.stversions/f1.pdf", .junk),
    (".hidden/Thumbs.db", .junk), ("@eaDir/a.part", .junk), ("a.part/.b.AbCdEf", .temporary(renamesFailures: true)),
    (".b.AbCdEf/a.part", .temporary(renamesFailures: true)), ("", .ordinary), ("a//b", .ordinary),
    (".Trash-1000/files/a.pdf", .junk), (".dropzone-hold/x", .junk),
  ])
  func `a component of a location applies to everything below it`(location: String, kind: NameKind) {
    #expect(lists.kind(ofLocation: RawPath(location)) == kind)
  }

  @Test(arguments: [
    ("archive.zip.part", "archive.zip"), (".archive.zip.AbCdEf", "archive.zip"), (".archive.zip.part", "archive.zip"),
    ("archive.zip~", "archive.zip"), ("~$archive.docx", "archive.docx"), (".~lock.archive.odt#", "archive.odt"),
    (".syncthing.archive.zip.tmp", "archive.zip"), ("~syncthing~archive.zip.tmp", "archive.zip"),
    (".in.archive.zip.", "archive.zip"), ("archive.zip.uploading", "archive.zip"), ("up-archive.zip", "archive.zip"),
    (".archive.zip", "archive.zip"), ("ARCHIVE.ZIP.PART", "ARCHIVE.ZIP"), ("a.tmp.part", "a"), (".part", nil),
    ("archive.zip", nil), (".~tmp~", nil), (".goutputstream-AB12CD", nil), (".DS_Store", nil), (".", nil), ("", nil),
    (".dropzone-put-01h455vb4pex5vsknk084sn02q", nil),
  ])
  func `a temporary name stands for a final name`(temporary: String, target: String?) {
    #expect(lists.target(of: RawPath(temporary)) == target.map { RawPath($0) })
  }

  @Test(arguments: [
    "archive.zip.part", ".archive.zip.AbCdEf", "archive.part", "archive.AbC.zip.part", "archive.zip~", "~$archive.zip",
    "~$chive.zip", ".archive.zip", ".archive.zip.part", "archive.zip.a1b2c3d4.partial", "Archive.zip.crdownload",
    "archive.zip.ocTransferId12.part", ".~lock.archive.zip#", "archive.zip.uploading",
  ])
  func `a transfer is related to its final name`(temporary: String) {
    #expect(lists.isTemporary(RawPath(temporary), of: "archive.zip"))
    #expect(!lists.isTemporary(RawPath(temporary), of: "other.zip"))
  }

  @Test(arguments: [
    "archive.zip", "archive.pdf", "archive.pdf.part", "archive2.zip.part", "archiv.zip.part", "Thumbs.db", "zip.part",
    ".zip.part", "archive.zip.bak", "chive.zip.part", ".DS_Store",
  ])
  func `other files are not related`(temporary: String) {
    #expect(!lists.isTemporary(RawPath(temporary), of: "archive.zip"))
  }

  @Test func `rsync truncates a long name to make room`() {
    let name = String(repeating: "n", count: 251) + ".pdf"
    let cut = "." + String(repeating: "n", count: 247) + ".AbCdEf"
    #expect(cut.utf8.count == 255)
    #expect(lists.isTemporary(RawPath(cut), of: RawPath(name)))
    #expect(!lists.isTemporary(".nn.AbCdEf", of: RawPath(name)))
  }

  @Test func `an invalid pattern is refused`() {
    #expect(throws: GlobError.slash) { try NameLists(ignore: ["a/b"]) }
    #expect(throws: GlobError.openSet) { try NameLists(temporary: ["[a"]) }
  }
}

extension NameLists {
  fileprivate func isTemporary(_ temporary: RawPath, of name: RawPath) -> Bool {
    let own = ties(ofTemporary: temporary)
    return !Set(own).isDisjoint(with: NameTie.ties(of: name, cutLengths: own.compactMap(\.cutLength)))
  }
}
