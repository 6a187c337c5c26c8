import DropEngine
import Support
import Testing

/// Tests that missing rights and kernel limits only determine what the daemon takes and watches, and lose nothing.
@Suite struct RightsTests {
  @Test(
    .enabled(if: Machine.isRoot, "needs root, to run as other users"), arguments: ["root", "capabilities"], ["B", "X"])
  func `owner and mode are the same after a rename and a copy, for root and for the service's user`(
    rights: String, box: String
  ) async throws {
    try await Rig.run("F25-rights", variant: "box=\(box)", environment: ["RIGHTS": rights]) { outcome in
      let delivered = Dictionary(uniqueKeysWithValues: outcome.files(box).map { ($0.path, $0) })
      let modes: [RawPath: UInt32] = [
        "open.txt": 0o664, "plain.txt": 0o664, "run.sh": 0o775, "dir/in.txt": 0o664, "private.txt": 0o660,
      ]
      #expect(delivered.mapValues(\.mode) == modes, "the box's group may read and write\n\(outcome.story)")
      #expect(delivered.values.allSatisfy { $0.user == 64991 && $0.group == 64999 }, "the sender's\n\(outcome.story)")
      #expect(!outcome.text("check").contains("without"), "nothing is left out\n\(outcome.text("check"))")
      outcome.expectInvariants(payloads: 5, box: box)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to run as other users"), arguments: ["B", "X"])
  func `files that a user of the group may not take stay, and are reported`(box: String) async throws {
    try await Rig.run("F25-rights", variant: "box=\(box)", environment: ["RIGHTS": "group"]) { outcome in
      #expect(outcome.files(box).map(\.path).sorted() == ["open.txt", "plain.txt", "run.sh"], "\(outcome.story)")
      #expect(outcome.staged("private.txt")?.waiting == .unreadable, "\(outcome.story)")
      #expect(outcome.staged("dir/in.txt")?.waiting == .cannotTake, "\(outcome.story)")
      let check = outcome.text("check")
      #expect(check.contains("without CAP_DAC_OVERRIDE: other people's 0600 files"), "\(check)")
      #expect(check.contains("on this user's own files only (no CAP_LEASE)"), "\(check)")
      // After a rename, the sender's mode stays; after a copy, the daemon is the owner. The receipt says what could not
      // be set.
      let left = outcome.text("history.jsonl")
      #expect(left.contains(box == "B" ? "permissions not set" : "owner not kept"), "\(left)")
      #expect(box == "B" || !left.contains("permissions not set"), "a copy has the box's mode\n\(left)")
      outcome.expectInvariants(payloads: 3, box: box)
    }
  }

  @Test(arguments: [("max_inotify_watches", "20"), ("max_inotify_instances", "0")])
  func `directories that cannot be watched are scanned and reported, and watched once there is room`(
    limit: String, low: String
  ) async throws {
    try await Rig.run("F24-watch-limit", environment: ["LIMIT": limit, "LOW": low]) { outcome in
      #expect(
        outcome.text("meanwhile").contains("could not be watched and are scanned"), "\(outcome.text("meanwhile"))")
      #expect(!outcome.text("later").contains("could not be watched"), "\(outcome.text("later"))")
      let said = outcome.daemonLog.joined(separator: "\n")
      #expect(said.contains("fs.inotify.max_user_"), "which limit\n\(outcome.story)")
      try await outcome.expectFiles(
        ["d1/w.txt": "say w 4000", "d39/w.txt": "say w 4000", "d38/x.txt": "say x 4000"])
      try outcome.expectFinished("d38/x.txt", within: 3, of: "dropped")
      outcome.expectInvariants(payloads: 3)
    }
  }
}
