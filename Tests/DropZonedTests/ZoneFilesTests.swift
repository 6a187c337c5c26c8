import DropEngine
import Support
import Testing

@testable import dropzoned

@Suite struct ZoneFilesTests {
  @Test func `zones are sorted by name`() throws {
    let zones = try Zones([
      "b.zone": "[Zone]\nPath=/srv/b\nBox=/srv/box\n", "a.zone": "[Zone]\nPath=/srv/a\nBox=/srv/box\n",
      "scan-1.x_y+z@home.zone": "[Zone]\nPath=/srv/c\nBox=/srv/box\n",
    ])
    #expect(try zones.load().zones.map(\.name) == ["a", "b", "scan-1.x_y+z@home"])
  }

  @Test func `drop-ins are read in order, and the last value counts`() throws {
    let zones = try Zones([
      "a.zone":
        "[Zone]\nPath=/srv/a\nBox=/srv/box\nTitle=file\n[Staging]\nQuiet=5s\n[Accept]\nNames=*.pdf;*.png\nMaxItems=3\n",
      "a.zone.d/20-late.conf": "[Zone]\nTitle=late\n[Accept]\nNames=*.tif\n",
      "a.zone.d/10-early.conf": "[Zone]\nTitle=early\nHint=early\nBox=/srv/other\n[Accept]\nMaxItems=\n",
    ])
    var expected = ZoneSettings(name: "a", path: "/srv/a", box: "/srv/other")
    expected.title = "late"
    expected.hint = "early"
    expected.staging.quiet = .seconds(5)
    expected.accept.names = ["*.tif"]
    #expect(try zones.load().zones == [expected])
  }

  @Test func `an empty value restores the default`() throws {
    let zones = try Zones([
      "a.zone": "[Zone]\nPath=/srv/a\nBox=/srv/box\nRejects=/srv/no\nTint=red\n[Handler]\nOnDrop=/bin/sh\n",
      "a.zone.d/x.conf": "[Zone]\nRejects=\nTint=\n[Handler]\nOnDrop=\n",
    ])
    #expect(try zones.load().zones == [ZoneSettings(name: "a", path: "/srv/a", box: "/srv/box")])
  }

  @Test func `a drop-in may set what the file leaves out`() throws {
    let zones = try Zones(["a.zone": "", "a.zone.d/x.conf": "[Zone]\nPath=/srv/a\nBox=/srv/box\n"])
    #expect(try zones.load().zones == [ZoneSettings(name: "a", path: "/srv/a", box: "/srv/box")])
  }

  @Test func `an error in a drop-in names the drop-in`() throws {
    let zones = try Zones([
      "a.zone": "[Zone]\nPath=/srv/a\nBox=/srv/box\n", "a.zone.d/x.conf": "\n[Zone]\nTint=bleu\nRejects=/srv/a/no\n",
    ])
    #expect(
      zones.errors().map { $0.prefix { $0 != "=" } } == [
        "a.zone.d/x.conf:3: [Zone] Tint", "a.zone.d/x.conf:4: [Zone] Rejects",
      ])
  }

  @Test func `there is a warning about each file that is ignored`() throws {
    let zone = "[Zone]\nPath=/srv/a\nBox=/srv/box\n"
    let zones = try Zones([
      "a.zone": zone, "a.zone.d/readme": "", "a.zone.d/x.conf~": "", "a.zone~": "", ".a.zone.swp": "", "b.conf": "",
      "c.zone.d/x.conf": "",
    ])
    #expect(
      try zones.warnings() == [
        "b.conf: it is ignored: the name of a zone file ends with '.zone'",
        "c.zone.d: it is ignored: there is no 'c.zone'",
        "a.zone.d/readme: it is ignored: the name of a drop-in ends with '.conf'",
      ])
  }

  @Test(arguments: [
    (
      "[Handler]\nOnDrop=/nowhere/judge",
      "a.zone:5: [Handler] OnDrop=/nowhere/judge: '/nowhere/judge' does not exist or is not executable; the zone will be blocked"
    ),
    (
      "[Handler]\nOnDrop=/etc/passwd",
      "a.zone:5: [Handler] OnDrop=/etc/passwd: '/etc/passwd' does not exist or is not executable; the zone will be blocked"
    ),
    (
      "[Handler]\nOnDrop=/bin/sh x | y",
      "a.zone:5: [Handler] OnDrop=/bin/sh x | y: '|' is an ordinary argument, because there is no shell; write sh -c '…' to use one"
    ),
    (
      "[Staging]\nQuiet=10min",
      "a.zone:5: [Staging] Quiet=10min: is not shorter than Stalled=, so files would stall before they can be released"
    ),
  ])
  func `a problem that may go away later is a warning`(text: String, warning: String) throws {
    #expect(try Zones.one(text).warnings() == [warning])
  }

  @Test(arguments: [
    ".zone", "-a.zone", "a b.zone", "ä.zone", ".a.zone", "a\n.zone", String(repeating: "n", count: 65) + ".zone",
  ])
  func `only plain names are allowed for zones`(name: String) throws {
    let zones = try Zones([name: "[Zone]\nPath=/srv/a\nBox=/srv/box\n"])
    let problem =
      "a zone's name has 1 to 64 ASCII letters, digits, '.', '_', '-', '+' or '@', and begins with a letter or digit"
    #expect(zones.errors() == ["\(Escaping.escape(name)): \(problem)"])
  }

  @Test func `a configuration directory without zones is an error`() throws {
    let scratch = try ScratchDirectory()
    #expect {
      try ZoneFiles.load(from: scratch.path, validateType: { _ in nil })
    } throws: {
      "\($0)" == "\(scratch.path)/zones: there is no such directory; create it, and add a zone file NAME.zone"
    }
  }

  @Test func `an empty directory of zones is valid`() throws {
    #expect(try Zones().load() == ZoneConfiguration(zones: [], warnings: []))
  }

  @Test func `zones that overlap are refused, and the error gives the line`() throws {
    let zones = try Zones([
      "a.zone": "[Zone]\nPath=/nowhere/drop\nBox=/nowhere/box\n",
      "b.zone": "[Zone]\nPath=/nowhere/drop/in\nBox=/nowhere/box\n",
      "c.zone": "[Zone]\nPath=/nowhere/c\nBox=/nowhere/drop/box\n",
    ])
    #expect(
      zones.errors() == [
        "b.zone:2: [Zone] Path=/nowhere/drop/in: zone 'b' ('/nowhere/drop/in') is inside zone 'a' ('/nowhere/drop')",
        "c.zone:3: [Zone] Box=/nowhere/drop/box: the box of zone 'c' ('/nowhere/drop/box') is inside zone 'a' ('/nowhere/drop')",
      ])
  }
}
