import DropEngine
import Testing

/// Tests of the tables of containers, in which no number can be trusted.
@Suite struct ContainerCheckTests {
  private static func end(size: [UInt8], comment: [UInt8]) -> [UInt8] {
    Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 8) + size + [0, 0, 0, 0] + comment
  }

  @Test func `the directory of a zip file is right before the record at the end`() throws {
    let end = Self.end(size: [10, 0, 0, 0], comment: [0, 0])
    let place = try #require(ZipDirectory.place(inFileOf: 100, end: end))
    #expect(place.offset == 68 && place.count == 10)
  }

  @Test func `an impossible record is ignored`() {
    #expect(ZipDirectory.place(inFileOf: 100, end: Self.end(size: [0, 1, 0, 0], comment: [0, 0])) == nil)
    #expect(ZipDirectory.place(inFileOf: 100, end: Self.end(size: [1, 0, 0, 0], comment: [9, 0])) == nil)
    #expect(ZipDirectory.place(inFileOf: 100, end: Self.end(size: [255, 255, 255, 255], comment: [0, 0])) == nil)
    #expect(ZipDirectory.place(inFileOf: 3, end: Self.end(size: [1, 0, 0, 0], comment: [0, 0])) == nil)
    #expect(ZipDirectory.place(inFileOf: 0, end: []) == nil)
    #expect(ZipDirectory.place(inFileOf: -1, end: []) == nil)
  }

  @Test func `the directory of a large zip file has the size in its larger record`() throws {
    let none: [UInt8] = [255, 255, 255, 255]
    var end =
      Array("PK\u{6}\u{6}".utf8) + [UInt8](repeating: 0, count: 36) + [40, 0, 0, 0, 0, 0, 0, 0]
      + [UInt8](repeating: 0, count: 8)
    end += Array("PK\u{6}\u{7}".utf8) + [UInt8](repeating: 0, count: 16) + Self.end(size: none, comment: [0, 0])
    let place = try #require(ZipDirectory.place(inFileOf: 5 << 30, end: end))
    #expect(place.count == 40 && place.offset == 5 << 30 - Int64(end.count) - 40)
    end.replaceSubrange(40..<48, with: [UInt8](repeating: 255, count: 8))
    #expect(ZipDirectory.place(inFileOf: 5 << 30, end: end) == nil)
  }

  @Test func `a truncated directory has the members before the truncation`() {
    let entry =
      Array("PK\u{1}\u{2}".utf8) + [UInt8](repeating: 0, count: 24) + [1, 0, 0, 0, 0, 0]
      + [UInt8](repeating: 0, count: 12)
      + Array("A".utf8)
    #expect(ZipDirectory(entry + entry).entries.count == 2)
    for count in 0..<entry.count { #expect(ZipDirectory(entry + entry.prefix(count)).entries.count == 1) }
    #expect(ZipDirectory(entry).has("a"))
    #expect(ZipDirectory([]).entries.isEmpty)
  }

  @Test func `an OLE header with an invalid offset has no list of streams`() {
    #expect(CompoundCheck.directoryOffset(head: []) == nil)
    #expect(CompoundCheck.directoryOffset(head: CompoundCheck.signature) == nil)
    var head = CompoundCheck.signature + [UInt8](repeating: 0, count: 504)
    #expect(CompoundCheck.directoryOffset(head: head) == nil)
    head[30] = 9
    #expect(CompoundCheck.directoryOffset(head: head) == 512)
    head.replaceSubrange(48..<52, with: [255, 255, 255, 255])
    #expect(CompoundCheck.directoryOffset(head: head) == nil)
    #expect(CompoundCheck(directory: []).type == nil)
    #expect(CompoundCheck(directory: [UInt8](repeating: 255, count: 512)).type == nil)
  }
}
