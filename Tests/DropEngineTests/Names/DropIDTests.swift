import Testing

@testable import DropEngine

@Suite struct DropIDTests {
  @Test func `an id has 26 digits, with the time first`() {
    #expect(DropID(milliseconds: 0, high: 0, low: 0).description == "00000000000000000000000000")
    #expect(DropID(milliseconds: 0, high: 0, low: 32).description == "00000000000000000000000010")
    #expect(DropID(milliseconds: 1, high: 0, low: 0).description == "00000000010000000000000000")
    #expect(DropID(milliseconds: .max, high: .max, low: .max).description == "7zzzzzzzzzzzzzzzzzzzzzzzzz")
  }

  @Test func `ids sort by time, whatever their random bits are`() {
    let times: [UInt64] = [0, 1, 31, 32, 1_772_348_889_010, 1_772_348_889_011, 1 << 47]
    for (earlier, later) in zip(times, times.dropFirst()) {
      let first = DropID(milliseconds: earlier, high: .max, low: .max)
      let second = DropID(milliseconds: later, high: 0, low: 0)
      #expect(first < second)
      #expect(first.description < second.description)
    }
  }

  @Test func `two ids with the same time differ`() {
    let ids = (0..<1000).map { _ in DropID(milliseconds: 7, random: SystemRandomNumberGenerator()) }
    #expect(Set(ids).count == 1000)
  }

  @Test func `an id is parsed again, also in upper case`() {
    let id = DropID(milliseconds: 1_772_348_889_010, random: SystemRandomNumberGenerator())
    #expect(DropID(id.description) == id)
    #expect(DropID(id.description.uppercased()) == id)
  }

  @Test(arguments: [
    "", "0", "000000000000000000000000000", "0000000000000000000000000", "0000000000000000000000000i",
    "0000000000000000000000000l", "0000000000000000000000000o", "0000000000000000000000000u",
    "../../../../../../../../etc", "0000000000000000000000000/", "000000000000000000000000é",
  ])
  func `anything else is not an id`(text: String) {
    #expect(DropID(text) == nil)
  }
}
