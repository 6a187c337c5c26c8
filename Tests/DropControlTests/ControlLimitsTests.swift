import DropControl
import DropEngine
import DropSystem
import Support
import Testing

/// Tests of clients that send too much, read nothing or send nonsense: they cannot disturb others.
@Suite(.timeLimit(.minutes(1))) struct ControlLimitsTests {
  @Test func `a message of one mebibyte is read, and a longer one ends the connection`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let call = #"{"method":"io.dropzone.Zones.List"}"#
        let client = try RawClient(at: rig.path)
        let exact = call + String(repeating: " ", count: (1 << 20) - call.utf8.count)
        client.send(exact)
        #expect(try client.receive()?.contains(#""zones":"#) == true)
        client.send(exact + " ")
        #expect(try client.receive()?.contains("io.dropzone.Zones.MessageTooLong") == true)
        #expect(try client.receive() == nil)
        let another = try RawClient(at: rig.path)
        another.send(call)
        #expect(try another.receive() != nil)
      }
    }
  }

  @Test func `invalid input of any kind ends only its own connection`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        var random = SystemRandomNumberGenerator()
        let call = Array(#"{"method":"io.dropzone.Zones.History","parameters":{"zone":"invoices","limit":3}}"#.utf8)
        for round in 0..<300 {
          let client = try RawClient(at: rig.path)
          var bytes = call
          switch round % 4 {
          case 0: bytes = (0..<Int.random(in: 1...4_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
          case 1: for _ in 0..<4 { bytes[Int.random(in: bytes.indices)] = UInt8.random(in: 0...255, using: &random) }
          case 2: bytes.removeSubrange(Int.random(in: bytes.indices)...)
          default: bytes = Array(String(repeating: round % 8 == 3 ? "[" : #"{"a":"#, count: 100_000).utf8)
          }
          client.send(bytes + [0])
          if round.isMultiple(of: 3) { _ = try client.receive() }
        }
        let client = try ControlClient(at: rig.path)
        #expect(try client.list([]).zones.count == 2)
      }
    }
  }

  @Test func `the 65th connection is refused with a reason, and accepted when another ends`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        var held = try (0..<63).map { _ in try RawClient(at: rig.path) }
        let last = try ControlClient(at: rig.path)
        #expect(try last.list([]).zones.count == 2)
        let refused = try RawClient(at: rig.path)
        refused.send(#"{"method":"io.dropzone.Zones.List"}"#)
        #expect(try refused.receive()?.contains("io.dropzone.Zones.TooManyConnections") == true)
        #expect(try refused.receive() == nil)
        held.removeFirst()
        while true {
          let client = try ControlClient(at: rig.path)
          if (try? client.list([])) != nil { break }
        }
      }
    }
  }

  @Test func `a client that never completes its message, or never reads, does not delay others`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let slow = try RawClient(at: rig.path)
        slow.send(Array(#"{"method":"io.dropzone"#.utf8))
        let deaf = try RawClient(at: rig.path)
        for _ in 0..<1_000 { deaf.send(#"{"method":"io.dropzone.Zones.List"}"#) }
        let client = try ControlClient(at: rig.path)
        #expect(try client.list([]).zones.count == 2)
        _ = (slow, deaf)
      }
    }
  }
}
