import Testing

@testable import DropControl

@Suite struct WallTimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_772_357_400_250, "2026-03-01T09:30:00.250Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
  ])
  func `a time is formatted in UTC with milliseconds, and parsed again`(milliseconds: Int64, text: String) {
    #expect(WallTime(milliseconds: milliseconds).description == text)
    #expect(WallTime(text) == WallTime(milliseconds: milliseconds))
  }

  @Test func `offsets, short fractions and lower case are read`() {
    #expect(WallTime("2026-03-01t10:30:00.25+01:00") == WallTime("2026-03-01T09:30:00.250Z"))
    #expect(WallTime("2026-03-01T09:30:00z") == WallTime("2026-03-01T09:30:00.000Z"))
    #expect(WallTime("2026-03-01 09:30:00.1234567-00:30") == WallTime("2026-03-01T10:00:00.123Z"))
  }

  @Test(arguments: [
    "", "2026", "2026-03-01", "2026-03-01T24:00:00Z", "2026-03-01T09:30:00", "2026-03-01T09:30:00Zx",
    "２026-03-01T09:30:00Z",
  ])
  func `anything else is not a time`(text: String) {
    #expect(WallTime(text) == nil)
  }
}
