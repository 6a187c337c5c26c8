import DropEngine
import DropSystem
import Testing

/// Tests of compressed files, of which only the first bytes are decompressed.
@Suite struct CompressedContentTests {
  /// Returns a gzip file with one stored block.
  private func gzip(_ text: String) -> [UInt8] {
    let content = [UInt8](text)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + .init(content.count, count: 2)
      + .init(~content.count & 0xFFFF, count: 2) + content + .init(Int(checksum(content)), count: 4)
      + .init(content.count, count: 4)
  }

  /// Returns the CRC-32 of RFC 1952.
  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }

  @Test func `a compressed picture must contain a picture`() throws {
    let picture = gzip("<svg xmlns='http://www.w3.org/2000/svg'/>")
    #expect(try Typing.isTaken(Typing.type(picture, named: "a.svgz"), by: "image/*"))
    #expect(try Typing.type(gzip("hello"), named: "a.svgz").grade == .contradicted)
    #expect(try Typing.type(Array(picture.prefix(14)), named: "a.svgz").grade == .contradicted)
    #expect(try Typing.type(picture, named: "a.gz").type == "application/gzip")
    #expect(try Typing.type([UInt8]("BZh91AY&SY") + .zeros(32), named: "a.epsf.bz2").type == "application/x-bzip")
  }

  @Test func `the name of an archive narrows the type of compressed content`() throws {
    #expect(try Typing.type(gzip("anything"), named: "a.tar.gz").grade == .narrowed)
  }

  @Test func `a compressed file with any changed byte has a type`() throws {
    let whole = gzip("<svg xmlns='http://www.w3.org/2000/svg'/>")
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0xFF
      _ = try Typing.type(bytes, named: "a.svgz")
    }
  }
}
