import DropControl
import DropEngine
import DropSystem
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct ControlServerTests {
  @Test func `the service describes itself and its interfaces`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let client = try RawClient(at: rig.path)
        client.send(#"{"method":"org.varlink.service.GetInfo"}"#)
        #expect(
          try client.receive() == #"{"parameters":{"interfaces":["org.varlink.service","io.dropzone.Zones"],"#
            + #""product":"dropzone","url":"file:///usr/share/doc/dropzone","vendor":"dropzone","version":"1.0"}}"#)
        for interface in ["org.varlink.service", "io.dropzone.Zones"] {
          client.send(
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(interface)"}}"#)
          #expect(try client.receive()?.contains(#"\ninterface \#(interface)\n"#) == true)
        }
      }
    }
  }

  @Test func `List returns all zones, or those that are named`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        #expect(try client.list([]).zones.map(\.name) == ["invoices", "photos"])
        #expect(try client.list(["photos"]) == StatusReport(daemon: .sample, zones: [.sample("photos")]))
        #expect(throws: ControlClientError.refused(VarlinkError(.noSuchZone("foo")))) { _ = try client.list(["foo"]) }
      }
    }
  }

  @Test func `List returns long lists of staged payloads completely and under the right zones`() async throws {
    let zones = ScriptedZones([])
    var published: [ZoneStatus] = []
    for (name, count) in [("a", 0), ("b", 1_500), ("c", 1), ("d", 1_025)] {
      var zone = ZoneStatus.sample(name)
      // A name may look like the JSON around it.
      for number in 0..<count { zone = zone.targeted(by: #""staged":[] \#(number)"#) }
      zones.publish(zone)
      published.append(zone)
    }
    let expected = published
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        #expect(try client.list([]).zones == expected)
      }
    }
  }

  @Test(arguments: [
    ("not json", "org.varlink.service.InvalidParameter", true),
    ("", "org.varlink.service.InvalidParameter", true),
    ("[]", "org.varlink.service.InvalidParameter", true),
    (#"{"method":7}"#, "org.varlink.service.InvalidParameter", true),
    (#"{"method":"io.dropzone.Zones.List","parameters":[]}"#, "org.varlink.service.InvalidParameter", true),
    (#"{"method":""}"#, "org.varlink.service.InterfaceNotFound", false),
    (#"{"method":"List"}"#, "org.varlink.service.InterfaceNotFound", false),
    (#"{"method":"io.dropzone.Nothing.List"}"#, "org.varlink.service.InterfaceNotFound", false),
    (#"{"method":"io.dropzone.Zones.list"}"#, "org.varlink.service.MethodNotFound", false),
    (#"{"method":"org.varlink.service.GetNothing"}"#, "org.varlink.service.MethodNotFound", false),
    (#"{"method":"io.dropzone.Zones.List","upgrade":true}"#, "org.varlink.service.MethodNotImplemented", false),
    (
      #"{"method":"io.dropzone.Zones.List","parameters":{"zone":["a"]}}"#, "org.varlink.service.InvalidParameter", false
    ),
    (#"{"method":"io.dropzone.Zones.List","parameters":{"zones":"a"}}"#, "org.varlink.service.InvalidParameter", false),
    (#"{"method":"io.dropzone.Zones.List","parameters":{"zones":["nowhere"]}}"#, "io.dropzone.Zones.NoSuchZone", false),
    (#"{"method":"io.dropzone.Zones.Monitor"}"#, "org.varlink.service.ExpectedMore", false),
    (#"{"method":"io.dropzone.Zones.Pause"}"#, "org.varlink.service.InvalidParameter", false),
    (#"{"method":"io.dropzone.Zones.Pause","parameters":{"zones":[]}}"#, "org.varlink.service.InvalidParameter", false),
    (#"{"method":"io.dropzone.Zones.Explain"}"#, "org.varlink.service.InvalidParameter", false),
    (
      #"{"method":"io.dropzone.Zones.Explain","parameters":{"path":"a"}}"#, "org.varlink.service.InvalidParameter",
      false
    ),
    (
      #"{"method":"io.dropzone.Zones.Explain","parameters":{"path":"/a\u0000b"}}"#,
      "org.varlink.service.InvalidParameter", false
    ),
    (
      #"{"method":"io.dropzone.Zones.Explain","parameters":{"pathBytes":"%"}}"#, "org.varlink.service.InvalidParameter",
      false
    ),
    (
      #"{"method":"io.dropzone.Zones.Explain","parameters":{"path":"/etc/passwd"}}"#, "io.dropzone.Zones.NotInAnyZone",
      false
    ),
    (
      #"{"method":"io.dropzone.Zones.History","parameters":{"since":"yesterday"}}"#,
      "org.varlink.service.InvalidParameter", false
    ),
    (
      #"{"method":"io.dropzone.Zones.History","parameters":{"limit":0}}"#, "org.varlink.service.InvalidParameter", false
    ),
    (
      #"{"method":"io.dropzone.Zones.History","parameters":{"after":1e300}}"#, "org.varlink.service.InvalidParameter",
      false
    ),
    (
      #"{"method":"io.dropzone.Zones.Wait","parameters":{"milliseconds":-1}}"#, "org.varlink.service.InvalidParameter",
      false
    ),
  ])
  func `every invalid call gets a named error`(message: String, error: String, ends: Bool) async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let client = try RawClient(at: rig.path)
        client.send(message)
        #expect(try client.receive()?.contains(#""error":"\#(error)""#) == true)
        client.send(#"{"method":"org.varlink.service.GetInfo"}"#)
        #expect(try (client.receive() == nil) == ends)
      }
    }
  }

  @Test func `an error names the parameter, the zone or the path`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let client = try RawClient(at: rig.path)
        client.send(#"{"method":"io.dropzone.Zones.List","parameters":{"zone":["a"]}}"#)
        #expect(
          try client.receive()
            == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"zone"}}"#)
        client.send(#"{"method":"io.dropzone.Zones.Explain","parameters":{"pathBytes":"L2V0Yy//"}}"#)
        #expect(
          try client.receive()
            == #"{"error":"io.dropzone.Zones.NotInAnyZone","parameters":{"path":"/etc/\\xFF"}}"#)
      }
    }
  }

  @Test func `calls are answered in the order in which they were sent`() async throws {
    try await ControlRig.run { rig in
      try await offPool {
        let client = try RawClient(at: rig.path)
        let zones = (0..<50).map { _ in ["invoices", "photos"].randomElement() ?? "photos" }
        let calls = zones.map { #"{"method":"io.dropzone.Zones.List","parameters":{"zones":["\#($0)"]}}"# }
        client.send(calls.flatMap { Array($0.utf8) + [0] })
        for zone in zones { #expect(try client.receive()?.contains(#""name":"\#(zone)""#) == true) }
      }
    }
  }

  @Test func `a call that wants no reply is carried out even if the client disconnects at once`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let leaving = try RawClient(at: rig.path)
        for number in 0..<20 {
          leaving.send(
            #"{"method":"io.dropzone.Zones.Pause","oneway":true,"parameters":{"zones":["\#(number)"]}}"#)
        }
      }
      try await offPool { until { zones.requests.count == 20 } }
      #expect(zones.requests == (0..<20).map { "pause \($0)" })
    }
  }

  @Test func `a client that has closed its sending side still gets its replies`() async throws {
    try await ControlRig.run { rig in
      let script = """
        import socket, sys
        client = socket.socket(socket.AF_UNIX)
        client.connect(sys.argv[1])
        client.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0' * 3)
        client.shutdown(socket.SHUT_WR)
        said = b''
        while more := client.recv(65536): said += more
        print(said.count(b'\\0'))
        """
      let result = try await Program.run("/usr/bin/env", ["python3", "-c", RawPath(script), rig.path])
      #expect(result.output == "3\n", "\(result.errors)")
    }
  }

  /// Sends a call, and disconnects after `body`.
  private static func leaving(_ rig: ControlRig, _ call: String, _ body: () -> Void) throws {
    let client = try RawClient(at: rig.path)
    client.send(call)
    body()
  }

  @Test func `Wait ends when the zones settle, at the timeout, or when the client disconnects`() async throws {
    let zones = ScriptedZones()
    zones.settle(false)
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        #expect(try client.wait(for: [], timeout: .milliseconds(20)) == false)
        try Self.leaving(rig, #"{"method":"io.dropzone.Zones.Wait"}"#) { until { zones.waiting > 0 } }
        until { zones.waiting == 0 }
        let waiting = try RawClient(at: rig.path)
        waiting.send(#"{"method":"io.dropzone.Zones.Wait"}"#)
        until { zones.waiting > 0 }
        zones.settle(true)
        #expect(try waiting.receive() == #"{"parameters":{"settled":true}}"#)
      }
    }
  }

  @Test func `requests reach the daemon, and its errors come back complete`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      try await offPool {
        let client = try ControlClient(at: rig.path)
        try client.pause(["invoices"])
        try client.resume(["invoices", "photos"])
        try client.reload()
        try client.retry(["a"])
        try client.release(["b"])
        try client.undo(["c"])
        #expect(
          zones.requests == ["pause invoices", "resume invoices photos", "reload", "retry a", "release b", "undo c"])
        for error: ControlError in [
          .noSuchZone("x"), .notPossible(id: "a", message: "no\nsuch"), .configuration("a.zone:3: Quite"), .stopping,
        ] {
          zones.refuse(with: error)
          do {
            try client.retry(["a"])
            Issue.record("retry was not refused")
          } catch ControlClientError.refused(let refusal) {
            #expect(refusal.controlError == error)
          }
        }
      }
    }
  }

  @Test func `a server that stops answers the calls in progress, ends, and leaves no file`() async throws {
    let zones = ScriptedZones()
    zones.settle(false)
    let scratch = try ScratchDirectory()
    let path = RawPath(scratch.appending("control"))
    let server = try ControlServer(on: ControlSocket(at: path, group: "dropzone-admin"), serving: zones, version: "1")
    let serving = Task { await server.run() }
    async let answers = offPool {
      let following = try RawClient(at: path)
      following.send(#"{"method":"io.dropzone.Zones.Monitor","more":true}"#)
      _ = try following.receive()
      _ = try following.receive()
      let waiting = try RawClient(at: path)
      waiting.send(#"{"method":"io.dropzone.Zones.Wait"}"#)
      until { zones.waiting > 0 }
      serving.cancel()
      return [try following.receive(), try following.receive(), try waiting.receive()]
    }
    let (end, over, waited) = (try await answers[0], try await answers[1], try await answers[2])
    #expect(end == #"{"error":"io.dropzone.Zones.Stopping","parameters":{}}"#)
    #expect(over == nil)
    #expect(waited == #"{"parameters":{"settled":false}}"#)
    await serving.value
    #expect(!path.exists)
  }
}
