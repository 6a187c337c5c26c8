import DropSystem
import Testing

@Suite struct ContentSnifferTests {
  @Test func `a sniffer recognises a PDF by its first bytes`() throws {
    let sniffer = try ContentSniffer()
    let bytes = Array("%PDF-1.4\n".utf8)
    #expect(try sniffer.mediaType(of: bytes.span) == "application/pdf")
    #expect(try sniffer.mediaType(of: [UInt8]().span) == "application/x-empty")
  }

  @Test func `the library has a version`() {
    #expect(ContentSniffer.version.split(separator: ".").count == 2)
  }
}
