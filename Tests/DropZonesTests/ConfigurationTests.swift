import DropEngine
import Support
import Testing

/// Tests of `dropConfiguration`, in a separate process.
@Suite(.timeLimit(.minutes(2))) struct ConfigurationTests {
  @Test func `a forbidden payload is shown as such while it arrives, and goes to the rejects with the reason`()
    async throws
  {
    try await TestDaemonRig.with("answers") { rig in
      try await rig.shell(
        "mkdir drop/locked; mkfifo go; (exec 3> drop/locked/x; printf hi >&3; cat go) > /dev/null 2>&1 &")
      #expect(
        try await rig.until {
          let zone = try await rig.zone
          return zone.isTargeted && zone.operation == "forbidden"
            && zone.reason?.contains("the column is locked") == true
        })
      let explained = try await rig.control.ask(["explain", rig.drop.appending("locked/x").description])
      #expect(String(decoding: explained.text, as: UTF8.self).contains("forbidden: the column is locked"))
      try await rig.shell("echo > go")
      #expect(try await rig.control.wait())
      #expect(try await rig.outcomes() == ["locked/x": "rejected: the column is locked"])
      #expect(try await rig.control.history().last?.reason?.code == .handler)
      #expect(rig.rejects.appending("locked/x.reason.json").exists)
      #expect(try await rig.zone.operation == "move")
    }
  }

  @Test func `a payload has a type as soon as its first bytes have arrived`() async throws {
    try await TestDaemonRig.with("answers") { rig in
      try await rig.shell(
        "mkfifo go; (exec 3> drop/page; printf '<!DOCTYPE html><html><body>hello' >&3; cat go) > /dev/null 2>&1 &")
      #expect(try await rig.until { rig.lines.contains { $0.hasPrefix("asked page text/html ") } })
      #expect(!rig.lines.contains("asked page text/html complete"))
      try await rig.shell("echo > go")
      #expect(try await rig.control.wait())
      #expect(rig.lines.contains("asked page text/html complete"))
    }
  }

  @Test func `the result at the release is binding`() async throws {
    try await TestDaemonRig.with("answers") { rig in
      for name in ["copied/a", "sorted/b", "escaping/c", "d"] { try await rig.put(name) }
      #expect(try await rig.control.wait())
      let outcomes = try await rig.outcomes()
      #expect(outcomes["copied/a"] == "delivered")
      #expect(rig.box.appending("copied/a").exists && rig.drop.appending("copied/a").exists)
      #expect(rig.box.appending("by/month/b").exists && !rig.drop.appending("sorted/b").exists)
      #expect(outcomes["escaping/c"]?.hasPrefix("rejected: the configuration's answer cannot be used: ") == true)
      #expect(rig.box.appending("d").exists)
      let operations = try await rig.control.history().map { "\($0.location) \($0.operation)" }
      #expect(operations.sorted() == ["copied/a copy", "d move", "escaping/c move", "sorted/b move"])
    }
  }

  @Test func `payloads beyond the accepted count stay, and the configuration is asked again`() async throws {
    try await TestDaemonRig.with("answers") { rig in
      try await rig.shell(
        "mkdir .new; touch .new/a .new/b .new/c; for f in a b c; do echo > .new/$f; done; mv .new drop/single")
      #expect(try await rig.control.wait())
      #expect(try await rig.outcomes().values.filter { $0 == "delivered" }.count == 3)
    }
  }

  @Test func `a configuration that takes a second is reported, and everything is still delivered`() async throws {
    try await TestDaemonRig.with("slow") { rig in
      for name in ["a", "b", "c"] { try await rig.put(name) }
      #expect(try await rig.until { rig.said.contains("its configuration took 1") })
      #expect(try await rig.until { try await rig.zone.reason?.hasPrefix("its configuration took 1") == true })
      #expect(try await rig.until(.seconds(60)) { try await rig.outcomes().count == 3 })
      #expect(try await rig.outcomes() == ["a": "delivered", "b": "delivered", "c": "delivered"])
    }
  }

  @Test func `a configuration that does not return delays neither other zones nor the stop`() async throws {
    try await TestDaemonRig.with("stuck-configuration") { rig in
      try await rig.put("stuck")
      #expect(
        try await rig.until {
          try await rig.zone.staged.contains {
            $0.waiting == .notYet && $0.detail.contains("has not answered within 1s")
          }
        })
      try await rig.shell("echo > .new; mv .new other/quick")
      #expect(try await rig.until { try await rig.outcomes()["quick"] == "delivered" })
      try await rig.shell("rm drop/stuck")
    }
  }
}
