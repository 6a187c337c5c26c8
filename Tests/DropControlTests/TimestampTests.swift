import Testing

@testable import DropControl

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_772_357_400_250, "2026-03-01T09:30:00.250Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
  ])
  func `a moment is written in UTC with milliseconds, and read back`(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
    #expect(Timestamp(text) == Timestamp(milliseconds: milliseconds))
  }

  @Test func `every day of four centuries is the day after the one before`() {
    var last = CivilDate(day: -100_000)
    for day in Int64(-99_999)...50_000 {
      let date = CivilDate(day: day)
      #expect(date.day == day)
      let follows = date.dayOfMonth == last.dayOfMonth + 1 || date.dayOfMonth == 1
      if !follows { Issue.record("\(last) is followed by \(date)") }
      last = date
    }
  }

  @Test func `offsets, short fractions and lower case are read`() {
    #expect(Timestamp("2026-03-01t10:30:00.25+01:00") == Timestamp("2026-03-01T09:30:00.250Z"))
    #expect(Timestamp("2026-03-01T09:30:00z") == Timestamp("2026-03-01T09:30:00.000Z"))
    #expect(Timestamp("2026-03-01 09:30:00.1234567-00:30") == Timestamp("2026-03-01T10:00:00.123Z"))
  }

  @Test(arguments: [
    "", "2026", "2026-02-29T00:00:00Z", "2026-03-01", "2026-03-01T24:00:00Z", "2026-03-01T09:30:00",
    "2026-03-01T09:30:00Zx", "2026-03-01T09:30:00.Z", "２026-03-01T09:30:00Z",
  ])
  func `what is no moment is refused`(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
