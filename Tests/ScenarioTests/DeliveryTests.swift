import DropEngine
import Support
import Testing

/// Tests that a file in the box is complete from the first moment its name is visible, and replaces nothing.
@Suite struct DeliveryTests {
  @Test(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
  func `S076 a copy that fails halfway is repeated, and the source stays until the copy is complete`() async throws {
    try await Rig.run("S076") { outcome in
      try await outcome.expectFiles(["io.bin": "say io 500000"], in: "X")
      let faults = outcome.work.appending("faults").lines()
      #expect(faults.contains { $0.hasPrefix("write") || $0.hasPrefix("clone") }, "no write failed: \(faults)")
      #expect(faults.contains { $0.hasPrefix("fsync") }, "no sync failed: \(faults)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1, box: "X")
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S077 a payload that is too big for the box waits, and the others continue`() async throws {
    try await Rig.run("S077", mounts: true) { outcome in
      var wanted: [RawPath: Payload] = [:]
      for i in 1...5 { wanted[RawPath("s\(i).bin")] = "say s\(i) 10000" }
      try await outcome.expectFiles(wanted)
      #expect(outcome.zone?.state == .blocked, "\(outcome.story)")
      let waiting = outcome.staged("huge.bin")
      let held = (try? outcome.work.appending("held").contents()) ?? []
      #expect(waiting?.waiting == .blocked || !held.isEmpty, "huge.bin waits in zone or hold\n\(outcome.story)")
      let said = [waiting?.detail, outcome.zone?.reason].compactMap { $0 }.joined(separator: " ")
      #expect(said.contains { $0.isNumber }, "the bytes it needs are named: «\(said)»\n\(outcome.story)")
      outcome.expectInvariants(payloads: 5, parked: true)
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S079 no payload is refused because the box is read-only for a while`() async throws {
    try await Rig.run("S079", mounts: true) { outcome in
      try await outcome.expectFiles([:], in: "before")
      try await outcome.expectFiles(["ro.pdf": "pdf ro 4000"])
      outcome.expectRefused([:])
      #expect(outcome.log.states.contains(.blocked), "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S080 files of others in the box stay, and keep their names`() async throws {
    try await Rig.run("S080") { outcome in
      try await outcome.expectFiles(
        [".dz-left.bin.tmp": "say part 1000", "left.bin": "say other 700", "left.1.bin": "say whole 90000"], in: "X")
      outcome.expectInvariants(payloads: 1, box: "X", foreign: 2)
    }
  }

  @Test func `S082 refused files with the same name are kept side by side, each with its reason`() async throws {
    try await Rig.run("S082") { outcome in
      try await outcome.expectFiles([:])
      #expect(outcome.receipts(.rejected).count == 6, "\(outcome.story)")
      let rejects = outcome.files("R")
      let sizes = rejects.map(\.bytes)
      for size in [1000, 2000, 3000, 5000, 50, 51] {
        #expect(sizes.contains(Int64(size)), "the file of \(size) bytes\n\(outcome.story)")
      }
      #expect(rejects.count == 12, "six files and six reasons\n\(outcome.story)")
      for receipt in outcome.receipts(.rejected) {
        let place = receipt.placeBytes.flatMap(Base64.decode).map { RawPath(bytes: $0).lastComponent }
        let reason = place.map { RawPath(bytes: $0.bytes + Array(".reason.json".utf8)) }
        #expect(
          rejects.contains { $0.path == place && $0.bytes == receipt.bytes }, "\(receipt.location)\n\(outcome.story)")
        #expect(rejects.contains { $0.path == reason }, "the reason of \(receipt.location)\n\(outcome.story)")
        #expect(receipt.reason?.message.contains("no") == true, "\(outcome.story)")
      }
      outcome.expectInvariants(payloads: 6)
    }
  }

  @Test func `S083 a reader of the box never sees a growing file`() async throws {
    try await Rig.run("S083") { outcome in
      try await outcome.expectFiles(["film.mkv": "say film 40000000"], in: "X")
      #expect(outcome.text("t/log/sizes") == "40000000", "sizes seen: \(outcome.text("t/log/sizes"))")
      outcome.expectInvariants(payloads: 1, box: "X")
    }
  }

  @Test(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
  func `S085 a box without attributes gets the content, and the receipt says what was not kept`() async throws {
    try await Rig.run("S085") { outcome in
      try await outcome.expectFiles(["meta.pdf": "pdf meta 5000"], in: "X")
      #expect(outcome.receipts.first?.warnings.isEmpty == false, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1, box: "X")
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to give the box to a group"), arguments: ["B", "X"])
  func `S086 a delivery into a set-gid box belongs to its group, both by rename and by copy`(box: String) async throws {
    try await Rig.run("S086", variant: "box=\(box)") { outcome in
      try await outcome.expectFiles(["priv.pdf": "pdf priv 5000"], in: box)
      let delivered = try #require(outcome.files(box).first)
      #expect(delivered.group == 100, "\(outcome.story)")
      #expect(delivered.mode == 0o660, "mode \(String(delivered.mode, radix: 8))\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1, box: box)
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S088 a sparse file keeps its holes in the box`() async throws {
    try await Rig.run("S088", mounts: true) { outcome in
      let delivered = try #require(outcome.files("B").first, "\(outcome.story)")
      #expect(delivered.bytes == 1 << 30)
      #expect(delivered.blocks * 512 < 8 << 20, "\(delivered.blocks) blocks")
      #expect(outcome.text("compared") == "same", "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: ["B", "X"])
  func `S089 a file with another hard link is delivered as a copy, and the other link stays unchanged`(box: String)
    async throws
  {
    try await Rig.run("S089", variant: "box=\(box)") { outcome in
      try await outcome.expectFiles(["seed.pdf": "pdf seed 8000"], in: box)
      try await outcome.expectFiles(["seed.pdf": "pdf seed 8000"], in: "S")
      let other = try #require(outcome.files("S").first)
      let delivered = try #require(outcome.files(box).first)
      let reference = try #require(outcome.files("L").first { $0.path == "ref" })
      #expect(other.links == 1 && (other.inode != delivered.inode || box == "X"), "\(outcome.story)")
      #expect(
        other.mode == reference.mode && other.user == reference.user && other.modified == reference.modified,
        "\(outcome.story)")
      outcome.expectLeft()
      outcome.expectInvariants(payloads: 1, box: box)
    }
  }

  @Test(arguments: ["B", "X"]) func `F39 files that need the same name at once are handled as the zone says`(
    box: String
  )
    async throws
  {
    try await Rig.run("F39", variant: "box=\(box)") { outcome in
      let names = Set((1...20).map { RawPath("x\($0).txt") })
      #expect(Set(outcome.files(box).map(\.path)) == names, "\(outcome.story)")
      let codes = outcome.receipts(.rejected).map(\.reason?.code)
      #expect(codes == [ReasonCode?](repeating: .duplicate, count: 20), "\(outcome.story)")
      outcome.expectInvariants(payloads: 40, box: box)
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount a file system that folds case"))
  func `S091 in a case-insensitive box, nothing is replaced`() async throws {
    try await Rig.run("S091", mounts: true) { outcome in
      try await outcome.expectContents(["say up 1000", "say low 2000", "say mix 3000"], in: "C")
      outcome.expectInvariants(payloads: 3, box: "C")
    }
  }

  @Test func `S092 composed and decomposed accents make different names`() async throws {
    try await Rig.run("S092") { outcome in
      try await outcome.expectFiles([
        RawPath(bytes: Array("Am".utf8) + [0o303, 0o251] + Array("lie.txt".utf8)): "say c 1000",
        RawPath(bytes: Array("Ame".utf8) + [0o314, 0o201] + Array("lie.txt".utf8)): "say d 2000",
        RawPath(bytes: [0o360, 0o237, 0o223, 0o204] + Array(" plan.txt".utf8)): "say e 3000",
      ])
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `S094 a box inside its zone is refused, and the error gives both paths`() async throws {
    try await Rig.run("S094") { outcome in
      #expect(outcome.text("refused") == "78\n78", "\(outcome.story)")
      let said = outcome.daemonLog.joined(separator: "\n")
      #expect(said.contains("/t/zone") && said.contains("/t/zone/out"), "\(outcome.story)")
      try await outcome.expectFiles(["loop.pdf": "pdf loop 3000"])
      outcome.expectRuns(1)
      outcome.expectInvariants(payloads: 1, exits: [78, 78, 0])
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S094 a box that a bind mount puts inside its zone is refused or not entered`() async throws {
    try await Rig.run("S094-bind", mounts: true) { outcome in
      if outcome.text("refused").isEmpty {
        try await outcome.expectFiles(["loop.pdf": "pdf loop 3000"], in: "C")
        outcome.expectRuns(1)
        outcome.expectInvariants(payloads: 1, box: "C")
      } else {
        #expect(outcome.text("refused") == "78", "\(outcome.story)")
      }
    }
  }
}
