import DropEngine
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_772_348_889_010, "2026-03-01T07:08:09.010Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `a time is formatted, and parsed again`(milliseconds: Int64, text: String) {
    #expect(Timestamp.text(milliseconds) == text)
    #expect(Timestamp.milliseconds(text) == milliseconds)
  }

  @Test func `every day of four centuries is parsed again, and sorts after the day before`() {
    var last = ""
    for day in -73_000...73_097 as ClosedRange<Int64> {
      let text = Timestamp.text(day * 86_400_000 + 43_200_007)
      if text <= last || Timestamp.milliseconds(text) != day * 86_400_000 + 43_200_007 {
        Issue.record("\(text) after \(last)")
      }
      last = text
    }
  }

  @Test(
    arguments: [
      ("2026-03-01T07:08:09Z", 0), ("2026-03-01t07:08:09z", 0), ("2026-03-01 07:08:09Z", 0),
      ("2026-03-01T08:08:09+01:00", 0), ("2026-03-01T01:38:09-05:30", 0), ("2026-03-01T07:08:09.5Z", 500),
      ("2026-03-01T07:08:09.1239999Z", 123), ("2026-03-01T07:08:60Z", 51_000),
      ("2026-02-28T23:08:09.01-08:00", 10),
    ] as [(String, Int64)])
  func `offsets and fractions are parsed`(text: String, more: Int64) {
    #expect(Timestamp.milliseconds(text) == 1_772_348_889_000 + more)
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T07:08:09", "2026-13-01T07:08:09Z", "2026-00-01T07:08:09Z", "2026-03-32T07:08:09Z",
    "2026-03-01T24:08:09Z", "2026-03-01T07:60:09Z", "2026-03-01T07:08:61Z", "2026-03-01T07:08:09+0100",
    "2026-03-01T07:08:09+01", "2026-03-01T07:08:09+01:00x", "2026-03-01T07:08:09ZZ", "2026-03-01T07:08:09x",
    "2026-03-01T07:08:09.", "-026-03-01T07:08:09Z", "2026-3-001T07:08:09Z", "２０２６-03-01T07:08:09Z",
    "2026-02-29T07:08:09Z", "2100-02-29T07:08:09Z", "2026-04-31T07:08:09Z", "2026-03-01T07:08:09.Z",
    "2026-03-01T07:08:09+24:00", "2026-03-01T07:08:09+01:60",
  ])
  func `anything else is not a time`(text: String) {
    #expect(Timestamp.milliseconds(text) == nil)
  }
}
