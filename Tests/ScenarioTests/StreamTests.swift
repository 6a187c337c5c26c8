import DropEngine
import Support
import Testing

/// Tests of a handler that keeps running, with a real daemon.
@Suite struct StreamTests {
  /// Runs a daemon with `script` as the handler; files are sent by rename.
  private func with(
    _ script: String, python: Bool = false, keys: String = "",
    _ body: @Sendable (DaemonProcess, _ send: ([String]) throws -> Void) async throws -> Void
  ) async throws {
    try await Slots.shared.run {
      try await Scratch.with { scratch in
        for name in ["zone", "from"] { try scratch.path.appending(RawPath(name)).makeDirectory() }
        let handler = scratch.path.appending("handler")
        try handler.write(
          python
            ? "#!/usr/bin/env python3\nimport json, os, sys, time\n\(script)\n" : "#!/bin/bash\n\(script)\n",
          mode: 0o755)
        let zone = """
          [Zone]
          Path=\(scratch.path)/zone
          Box=\(scratch.path)/box
          [Handler]
          OnDrop=\(handler) \(scratch.path)/pids
          Mode=stream
          \(keys)

          """
        let daemon = try DaemonProcess(zones: ["z": zone], in: scratch)
        try await daemon.start()
        try await body(daemon) { names in
          for name in names {
            let file = scratch.path.appending("from").appending(RawPath(name))
            try file.write("text of \(name)\n")
            try file.rename(to: scratch.path.appending("zone").appending(RawPath(name)))
          }
        }
        await daemon.stop()
      }
    }
  }

  private static let answering = """
    open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
    def answer(drop, verdict, **more): print(json.dumps({"id": drop["id"], "verdict": verdict, **more}), flush=True)
    drops = map(json.loads, sys.stdin)
    """

  private func receipts(_ daemon: DaemonProcess) async throws -> [String: Receipt] {
    Dictionary(try await daemon.control.history().map { ($0.name, $0) }) { $1 }
  }

  private func processes(_ daemon: DaemonProcess) -> [String] { daemon.scratch.path.appending("pids").lines() }

  @Test func `one process is asked about all payloads, and decides on each`() async throws {
    let script = """
      echo $$ >> "$1"
      while IFS= read -r line; do
        id=${line#*'"id":"'} id=${id%%'"'*}
        case $line in
        *'"name":"no'*) echo '{"id": "'$id'", "verdict": "rejected", "reason": "refused"}' ;;
        *) echo '{"id": "'$id'", "verdict": "accepted", "destination": "in"}' ;;
        esac
      done
      """
    try await with(script) { daemon, send in
      try send((0..<50).map { "a\($0).txt" } + ["no.txt"])
      #expect(try await daemon.control.wait())
      try send(["late.txt"])
      #expect(try await daemon.control.wait())
      let receipts = try await receipts(daemon)
      #expect(receipts.count == 52)
      #expect(receipts["late.txt"]?.place?.hasSuffix("/box/in/late.txt") == true)
      #expect(receipts["no.txt"]?.reason?.message == "refused")
      #expect(receipts.values.filter { $0.outcome == .delivered }.count == 51)
      #expect(processes(daemon).count == 1)
    }
  }

  @Test func `answers are matched by their ids, in any order`() async throws {
    let script =
      Self.answering + """

        held = []
        for drop in drops:
            held.append(drop)
            if len(held) == 5:
                for drop in reversed(held): answer(drop, "accepted", name="for-" + drop["name"])
                held = []
        """
    try await with(script, python: true, keys: "Timeout=20s") { daemon, send in
      try await daemon.control.ask(["pause", "z"]).exit.expectSuccess()
      try send((0..<10).map { "f\($0).txt" })
      try await daemon.control.ask(["resume", "z"]).exit.expectSuccess()
      #expect(try await daemon.control.wait())
      for receipt in try await receipts(daemon).values {
        #expect(receipt.place?.hasSuffix("/box/for-\(receipt.name)") == true)
      }
    }
  }

  @Test func `a payload that crashes the handler is refused in the end, and all others are taken`() async throws {
    let script =
      Self.answering + """

        for drop in drops:
            if drop["name"].startswith("bad"): os.kill(os.getpid(), 9)
            answer(drop, "accepted")
        """
    try await with(script, python: true, keys: "Attempts=3") { daemon, send in
      try await daemon.control.ask(["pause", "z"]).exit.expectSuccess()
      try send((0..<20).map { "a\($0).txt" } + ["bad.txt"] + (0..<20).map { "z\($0).txt" })
      try await daemon.control.ask(["resume", "z"]).exit.expectSuccess()
      #expect(try await daemon.control.wait())
      let receipts = try await receipts(daemon)
      #expect(receipts.values.filter { $0.outcome == .delivered }.count == 40)
      #expect(receipts["bad.txt"]?.reason?.code == .handlerFailed)
      #expect(receipts["bad.txt"]?.reason?.message.contains("signal 9") == true)
      #expect(receipts["bad.txt"]?.attempts == 3)
    }
  }

  @Test(arguments: [
    "print('nonsense', flush=True)", "answer({'id': drop['id'][::-1]}, 'accepted')", "time.sleep(100)",
    "sys.exit(0)",
  ])
  func `invalid output, silence and an early exit cost an attempt`(what: String) async throws {
    let script =
      Self.answering + """

        for drop in drops:
            if drop["attempt"] == 1: \(what)
            answer(drop, "accepted")
        """
    try await with(script, python: true, keys: "Timeout=2s") { daemon, send in
      try send(["a.txt"])
      #expect(try await daemon.control.wait())
      let receipt = try #require(try await receipts(daemon)["a.txt"])
      #expect(receipt.outcome == .delivered)
      #expect(receipt.attempts == 2)
      #expect(processes(daemon).count == 2)
    }
  }

  @Test func `after not yet, the payload stays in the zone for the requested time`() async throws {
    let script =
      Self.answering + """

        for drop in drops:
            if drop["attempt"] == 1: answer(drop, "not-yet", reason="a draft", retryAfter=0.2)
            else: answer(drop, "accepted")
        """
    try await with(script, python: true) { daemon, send in
      try send(["a.txt"])
      #expect(try await daemon.control.wait())
      #expect(try await receipts(daemon)["a.txt"]?.attempts == 2)
    }
  }

  @Test func `a missing command blocks the zone`() async throws {
    try await with("exit 127") { daemon, send in
      try send(["a.txt"])
      while try await daemon.control.status().zones.first?.state != .blocked {}
    }
  }

  @Test func `the process ends with the daemon, and when the zone changes`() async throws {
    let script = Self.answering + "\nfor drop in drops: answer(drop, 'accepted')\ntime.sleep(100)\n"
    try await with(script, python: true) { daemon, send in
      try send(["a.txt"])
      #expect(try await daemon.control.wait())
      let first = try #require(processes(daemon).first)
      let file = daemon.config.appending("zones/z.zone")
      try file.write(file.lines().joined(separator: "\n") + "\nTimeout=9s\n")
      try await daemon.control.ask(["reload"]).exit.expectSuccess()
      #expect(!RawPath("/proc/\(first)").exists)
      try send(["b.txt"])
      #expect(try await daemon.control.wait())
      let second = try #require(processes(daemon).last)
      #expect(second != first)
      await daemon.stop()
      #expect(!RawPath("/proc/\(second)").exists)
    }
  }
}

extension Command.Exit {
  fileprivate func expectSuccess() { #expect(self == .code(0)) }
}
