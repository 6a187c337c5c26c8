import DropEngine
import DropSystem
import Glibc
import Support
import Testing

@Suite struct ZoneOverlapTests {
  private func zone(
    _ name: String, _ path: String, _ box: String, rejects: String? = nil, hold: String? = nil
  ) -> ZoneSettings {
    var zone = ZoneSettings(name: name, path: path, box: box, rejects: rejects)
    zone.hold = hold
    return zone
  }

  private func messages(_ zones: [ZoneSettings]) -> [String] {
    ZoneOverlap.all(in: zones).map(\.message)
  }

  @Test func `separate zones are valid, and may share a box and rejects`() {
    #expect(messages([]) == [])
    #expect(messages([zone("a", "/x/a", "/x/box"), zone("b", "/x/b", "/x/box")]) == [])
    #expect(messages([zone("a", "/x/a", "/x/box"), zone("b", "/x/ab", "/x/box/b")]) == [])
    #expect(messages([zone("a", "/x/a", "/y/b", hold: "/y/h"), zone("b", "/x/c", "/y/d", hold: "/y/h")]) == [])
    #expect(messages([zone("a", "/x/a", "/x/box", hold: "/x/a/.dropzone-hold")]) == [])
  }

  @Test(arguments: [
    ("/x/a", "zone 'b' ('/x/a') is the same directory as zone 'a' ('/x/a')"),
    ("/x//a/", "zone 'b' ('/x/a') is the same directory as zone 'a' ('/x/a')"),
    ("/x/a/in", "zone 'b' ('/x/a/in') is inside zone 'a' ('/x/a')"),
    ("/x", "zone 'b' ('/x') contains zone 'a' ('/x/a')"),
    ("/y/box", "zone 'b' ('/y/box') is the same directory as the box of zone 'a' ('/y/box')"),
    ("/y/box/in", "zone 'b' ('/y/box/in') is inside the box of zone 'a' ('/y/box')"),
    ("/y/box.rejects/in", "zone 'b' ('/y/box.rejects/in') is inside the rejects of zone 'a' ('/y/box.rejects')"),
    (
      "/y/box.hold",
      "zone 'b' ('/y/box.hold') is the same directory as the default hold of zone 'a' ('/y/box.hold')"
    ),
  ])
  func `a zone that overlaps a directory of another zone is refused`(path: String, message: String) {
    let found = messages([zone("a", "/x/a", "/y/box"), zone("b", path, "/z/box")])
    // A zone that contains everything also contains the default rejects and hold; the first message is about the zone.
    #expect(found.first == message)
  }

  @Test(
    arguments: [
      ("/x/a", "/x/a", nil, nil, "the box of zone 'a' ('/x/a') is the same directory as zone 'a' ('/x/a')"),
      ("/x/a", "/x/a/box", nil, nil, "the box of zone 'a' ('/x/a/box') is inside zone 'a' ('/x/a')"),
      ("/x/a", "/x", "/r", nil, "the box of zone 'a' ('/x') contains zone 'a' ('/x/a')"),
      ("/x/a", "/y", "/x/a/no", nil, "the rejects of zone 'a' ('/x/a/no') is inside zone 'a' ('/x/a')"),
      ("/x/a", "/y", "/y", nil, "the rejects of zone 'a' ('/y') is the same directory as the box of zone 'a' ('/y')"),
      ("/x/a", "/y", "/y/no", nil, "the rejects of zone 'a' ('/y/no') is inside the box of zone 'a' ('/y')"),
      ("/x/a", "/y", nil, "/x/a/hold", "the hold of zone 'a' ('/x/a/hold') is inside zone 'a' ('/x/a')"),
      ("/x/a", "/y", nil, "/y", "the hold of zone 'a' ('/y') is the same directory as the box of zone 'a' ('/y')"),
      (
        "/x/a", "/y", "/x/a.hold", nil,
        "the rejects of zone 'a' ('/x/a.hold') is the same directory as the default hold of zone 'a' ('/x/a.hold')"
      ),
    ] as [(String, String, String?, String?, String)])
  func `the directories of a zone must not overlap`(
    path: String, box: String, rejects: String?, hold: String?, message: String
  ) {
    #expect(messages([zone("a", path, box, rejects: rejects, hold: hold)]) == [message])
  }

  @Test func `two zones with the same name are refused`() {
    #expect(
      messages([zone("a", "/x/a", "/y"), zone("a", "/x/b", "/y")]) == [
        "two zones are named 'a': '/x/a' and '/x/b'"
      ])
  }

  @Test func `links are followed, and the message gives real paths`() throws {
    let scratch = try ScratchDirectory()
    let root = try #require(realPath(scratch.path))
    let drop = try scratch.directory("drop")
    try #require(unsafe symlink(drop, scratch.appending("link")) == 0)
    let found = messages([
      zone("a", scratch.appending("drop"), "/nowhere/box"),
      zone("b", scratch.appending("link/not/yet"), "/nowhere/box"),
    ])
    #expect(
      found == [
        "zone 'b' ('\(scratch.appending("link/not/yet"))', resolved to '\(root)/drop/not/yet') is inside zone 'a' ('\(drop)')"
      ])
  }

  @Test func `a directory mounted elsewhere is the same directory`() throws {
    let scratch = try ScratchDirectory()
    let drop = try scratch.directory("drop")
    let bound = try scratch.directory("bound")
    // This needs the right to mount. Without it, nobody can bind-mount a zone's directory either.
    guard unsafe mount(drop, bound, nil, UInt(MS_BIND), nil) == 0 else { return }
    defer { _ = unsafe umount(bound) }
    #expect(
      messages([zone("a", drop, "/nowhere/box"), zone("b", bound, "/nowhere/box")]) == [
        "zone 'b' ('\(bound)') is the same directory as zone 'a' ('\(drop)')"
      ])
    #expect(
      messages([zone("a", drop, bound + "/box")]) == [
        "the box of zone 'a' ('\(bound)/box') is inside zone 'a' ('\(drop)')"
      ])
  }

  @Test func `a thousand zones are compared quickly`() {
    let zones = (0..<1000).map { zone("z\($0)", "/nowhere/zones/\($0)/drop", "/nowhere/boxes/\($0)") }
    #expect(messages(zones + [zone("last", "/nowhere/zones/500/drop/in", "/nowhere/boxes/1")]).count == 1)
  }
}
