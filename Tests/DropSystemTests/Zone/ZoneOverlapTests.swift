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

  @Test func `zones apart are fine and may share box and rejects`() {
    #expect(messages([]) == [])
    #expect(messages([zone("a", "/x/a", "/x/box"), zone("b", "/x/b", "/x/box")]) == [])
    #expect(messages([zone("a", "/x/a", "/x/box"), zone("b", "/x/ab", "/x/box/b")]) == [])
    #expect(messages([zone("a", "/x/a", "/y/b", hold: "/y/h"), zone("b", "/x/c", "/y/d", hold: "/y/h")]) == [])
    #expect(messages([zone("a", "/x/a", "/x/box", hold: "/x/a/.dropzone-hold")]) == [])
  }

  @Test(arguments: [
    ("/x/a", "zone 'b' ('/x/a') is the same directory as zone 'a' ('/x/a')"),
    ("/x//a/", "zone 'b' ('/x/a') is the same directory as zone 'a' ('/x/a')"),
    ("/x/a/in", "zone 'b' ('/x/a/in') lies inside zone 'a' ('/x/a')"),
    ("/x", "zone 'b' ('/x') has inside it zone 'a' ('/x/a')"),
    ("/y/box", "zone 'b' ('/y/box') is the same directory as the box of zone 'a' ('/y/box')"),
    ("/y/box/in", "zone 'b' ('/y/box/in') lies inside the box of zone 'a' ('/y/box')"),
    ("/y/box.rejects/in", "zone 'b' ('/y/box.rejects/in') lies inside the rejects of zone 'a' ('/y/box.rejects')"),
    (
      "/y/box.hold",
      "zone 'b' ('/y/box.hold') is the same directory as where zone 'a' would put its hold ('/y/box.hold')"
    ),
  ])
  func `a zone in another's place is refused`(path: String, message: String) {
    let found = messages([zone("a", "/x/a", "/y/box"), zone("b", path, "/z/box")])
    // A zone around everything holds the box's neighbours as well; the first sentence is about the zone.
    #expect(found.first == message)
  }

  @Test(
    arguments: [
      ("/x/a", "/x/a", nil, nil, "the box of zone 'a' ('/x/a') is the same directory as zone 'a' ('/x/a')"),
      ("/x/a", "/x/a/box", nil, nil, "the box of zone 'a' ('/x/a/box') lies inside zone 'a' ('/x/a')"),
      ("/x/a", "/x", "/r", nil, "the box of zone 'a' ('/x') has inside it zone 'a' ('/x/a')"),
      ("/x/a", "/y", "/x/a/no", nil, "the rejects of zone 'a' ('/x/a/no') lies inside zone 'a' ('/x/a')"),
      ("/x/a", "/y", "/y", nil, "the rejects of zone 'a' ('/y') is the same directory as the box of zone 'a' ('/y')"),
      ("/x/a", "/y", "/y/no", nil, "the rejects of zone 'a' ('/y/no') lies inside the box of zone 'a' ('/y')"),
      ("/x/a", "/y", nil, "/x/a/hold", "the hold of zone 'a' ('/x/a/hold') lies inside zone 'a' ('/x/a')"),
      ("/x/a", "/y", nil, "/y", "the hold of zone 'a' ('/y') is the same directory as the box of zone 'a' ('/y')"),
      (
        "/x/a", "/y", "/x/a.hold", nil,
        "the rejects of zone 'a' ('/x/a.hold') is the same directory as where zone 'a' would put its hold ('/x/a.hold')"
      ),
    ] as [(String, String, String?, String?, String)])
  func `the places of one zone must lie apart`(
    path: String, box: String, rejects: String?, hold: String?, message: String
  ) {
    #expect(messages([zone("a", path, box, rejects: rejects, hold: hold)]) == [message])
  }

  @Test func `two zones of one name are refused`() {
    #expect(
      messages([zone("a", "/x/a", "/y"), zone("a", "/x/b", "/y")]) == [
        "two zones are called 'a': at '/x/a' and at '/x/b'"
      ])
  }

  @Test func `links are followed and both real paths named`() throws {
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
        "zone 'b' ('\(scratch.appending("link/not/yet"))', really '\(root)/drop/not/yet') lies inside zone 'a' ('\(drop)')"
      ])
  }

  @Test func `a directory mounted elsewhere is the same directory`() throws {
    let scratch = try ScratchDirectory()
    let drop = try scratch.directory("drop")
    let bound = try scratch.directory("bound")
    // Needs the right to mount; where there is none, nobody can bind a zone's directory either.
    guard unsafe mount(drop, bound, nil, UInt(MS_BIND), nil) == 0 else { return }
    defer { _ = unsafe umount(bound) }
    #expect(
      messages([zone("a", drop, "/nowhere/box"), zone("b", bound, "/nowhere/box")]) == [
        "zone 'b' ('\(bound)') is the same directory as zone 'a' ('\(drop)')"
      ])
    #expect(
      messages([zone("a", drop, bound + "/box")]) == [
        "the box of zone 'a' ('\(bound)/box') lies inside zone 'a' ('\(drop)')"
      ])
  }

  @Test func `a thousand zones are compared at once`() {
    let zones = (0..<1000).map { zone("z\($0)", "/nowhere/zones/\($0)/drop", "/nowhere/boxes/\($0)") }
    #expect(messages(zones + [zone("last", "/nowhere/zones/500/drop/in", "/nowhere/boxes/1")]).count == 1)
  }
}
