import DropEngine
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of RFC 4648 are encoded and decoded`(plain: String, coded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == coded)
    #expect(Base64.decode(coded) == Array(plain.utf8))
  }

  @Test func `any number of bytes is decoded again`() {
    let bytes = (0...255 as ClosedRange<UInt8>).map { $0 &* 167 }
    for count in 0...256 {
      #expect(Base64.decode(Base64.encode(Array(bytes.prefix(count)))) == Array(bytes.prefix(count)))
    }
    #expect(Base64.encode([0xFB, 0xFF, 0xFE]) == "+//+")
  }

  @Test(arguments: ["Zg", "Zg="]) func `missing padding is accepted`(text: String) {
    #expect(Base64.decode(text) == [0x66])
  }

  @Test(arguments: ["Z", "Zm9vY", "Zg==Zg==", "Z g=", "Zm9v\n", "-_-_", "é", "=Zg="])
  func `what is not base64 is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
