import DropEngine
import Glibc
import Testing

@testable import DropSystem

@Suite struct LogTests {
  static var hasJournal: Bool { unsafe access("/run/systemd/journal/socket", W_OK) == 0 }

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Returns the lines that a log writes to a file.
  func lines(_ body: (Log) -> Void) throws -> [String] {
    let file = try FileDescriptor.open(RawPath(scratch("log")), [.writeOnly, .create])
    let log = Log(linesTo: file.number)
    body(log)
    #expect(log.flush(within: .seconds(10)))
    let text = String(
      decoding: try FileDescriptor.open(RawPath(scratch("log")), .readOnly).read(at: 0, count: 1 << 20), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `a record is one line, whatever it contains`() throws {
    let name = RawPath(bytes: Array("a b\n\u{1B}[31m".utf8) + [0xFF])
    let lines = try lines { log in
      log.write(.notice, "delivered '\(name)'", [.zone("invoices"), .location(name)])
      log.write(.warning, "two\nlines", [])
      log.write(.error, "\u{202E}desrever", [.error(.noSpace)])
    }
    #expect(
      lines == [
        #"delivered 'a b\u{A}\u{1B}[31m\xFF' DROP_ZONE=invoices"#,
        #"warning: two\u{A}lines"#,
        #"error: \u{202E}desrever ERRNO=28"#,
      ])
  }

  @Test func `debug messages are written on request`() throws {
    let lines = try lines { log in
      log.write(.debug, "one", [])
      log.setThreshold(.debug)
      log.write(.debug, "two", [])
    }
    #expect(lines == ["debug: two"])
  }

  @Test func `records keep their order`() throws {
    let lines = try lines { log in
      for number in 0..<1000 { log.write(.info, "record \(number)", []) }
    }
    #expect(lines == (0..<1000).map { "record \($0)" })
  }

  @Test func `repeated messages are limited`() throws {
    let lines = try lines { log in
      for _ in 0..<100 { log.write(.warning, "the box is full", []) }
    }
    #expect(lines.count == RepeatLimit.burst)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a reader that is stuck does not block anything, and lost records are counted`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let log = Log(linesTo: ends[1])
    let long = String(repeating: "x", count: 1000)
    let time = ContinuousClock().measure {
      for number in 0..<5000 { log.write(.info, "\(number) \(long)", []) }
    }
    #expect(time < .seconds(10))
    #expect(!log.flush(within: .milliseconds(10)))
    // When the reader continues, it gets all waiting records, and then the number of lost ones.
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65536)
    for number in 0... {
      let count = unsafe read(ends[0], &buffer, buffer.count)
      text += String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
      if text.contains("log records were lost"), text.contains("again") { break }
      log.write(.info, "again \(number)", [])
    }
    // The rest fits into the pipe.
    #expect(log.flush(within: .seconds(10)))
    close(ends[0])
    close(ends[1])
  }

  @Test func `the number of the priority is written only for readers that understand it`() {
    let record = LogRecord(level: .warning, message: "hot", fields: [.kind(.zoneBlocked), .zone("a")])
    #expect(LogText.record(record, numbered: true) == "<4>hot DROP_ZONE=a\n")
    #expect(LogText.record(record, numbered: false) == "warning: hot DROP_ZONE=a\n")
  }

  @Test func `each kind has a unique id of 32 digits`() {
    #expect(Set(LogKind.allCases.map(\.rawValue)).count == LogKind.allCases.count)
    for kind in LogKind.allCases {
      #expect(kind.rawValue.utf8.count == 32 && kind.rawValue.allSatisfy { "0123456789abcdef".contains($0) })
    }
  }

  @Test(.enabled(if: hasJournal, "there is no journal"))
  func `the journal gets each field exactly`() async throws {
    let zone = "test-\(getpid())"
    let name: [UInt8] = [0x61, 0x0A, 0xFF] + Array("\nPRIORITY=0\nMESSAGE=forged".utf8)
    let record = LogRecord(
      level: .warning, message: "said", fields: [.kind(.delivered), .zone(zone), LogField("DROP_LOCATION", name)])
    #expect(Journal.send(record))
    let read = ["journalctl", "--sync", "-o", "json", "--all", "DROP_ZONE=\(zone)"]
    run(["journalctl", "--sync"])
    let answer = run(read.filter { $0 != "--sync" }).output
    #expect(answer.split(separator: "\n").count == 1)
    #expect(answer.contains(#""MESSAGE":"said""#) || answer.contains(#""MESSAGE" : "said""#))
    #expect(answer.contains(#""PRIORITY":"4""#) || answer.contains(#""PRIORITY" : "4""#))
    #expect(answer.contains(LogKind.delivered.rawValue))
    // A field that is not valid text is a list of bytes.
    #expect(answer.replacing(" ", with: "").contains("[97,10,255,10,80,82,73"))
  }
}
