import DropSystem
import Testing

@Suite struct ContentSnifferTests {
  @Test func `a sniffer knows a PDF by its first bytes`() throws {
    let sniffer = try ContentSniffer()
    let bytes = Array("%PDF-1.4\n".utf8)
    #expect(try sniffer.mediaType(of: bytes.span) == "application/pdf")
    #expect(try sniffer.mediaType(of: [UInt8]().span) == "application/x-empty")
  }

  @Test func `the library says its version`() {
    #expect(ContentSniffer.version.split(separator: ".").count == 2)
  }
}
