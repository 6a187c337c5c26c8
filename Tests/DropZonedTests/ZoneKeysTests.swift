import DropEngine
import Testing

@testable import dropzoned

/// A line of a zone file, and the setting that it changes.
struct KeyCase: Sendable, CustomTestStringConvertible {
  let group: String
  let line: String
  let effect: @Sendable (inout ZoneSettings) -> Void

  init(_ group: String, _ line: String, _ effect: @escaping @Sendable (inout ZoneSettings) -> Void) {
    self.group = group
    self.line = line
    self.effect = effect
  }

  var testDescription: String { "[\(group)] \(line)" }

  static let all: [KeyCase] = [
    KeyCase("Zone", "Rejects=/srv/no") { $0.rejects = "/srv/no" },
    KeyCase("Zone", "Hold=/srv/hold/") { $0.hold = "/srv/hold" },
    KeyCase("Zone", "Unit=file") { $0.unit = .file },
    KeyCase("Zone", "Recursive=no") { $0.recursive = false },
    KeyCase("Zone", "Prune=YES") { $0.prune = true },
    KeyCase("Zone", "RequireMount=zone;rejects") { $0.requireMount = [.zone, .rejects] },
    KeyCase("Zone", "Title=Drop \u{2713} here") { $0.title = "Drop \u{2713} here" },
    KeyCase("Zone", "Hint=two\\s\\sspaces\\\\") { $0.hint = "two  spaces\\" },
    KeyCase("Zone", "Symbol=doc") { $0.symbol = "doc" },
    KeyCase("Zone", "Tint=Green") { $0.tint = "green" },
    KeyCase("Zone", "Tint=#00FFaa") { $0.tint = "#00ffaa" },
    KeyCase("Accept", "Types=application/pdf; image/* ;text/plain+;") {
      $0.accept.types = ["application/pdf", "image/*", "text/plain+"]
    },
    KeyCase("Accept", "Grade=proved;unproved") { $0.accept.grades = [.proved, .unproved] },
    KeyCase("Accept", "MinSize=0") { $0.accept.minSize = 0 },
    KeyCase("Accept", "MinSize=4096") { $0.accept.minSize = 4096 },
    KeyCase("Accept", "MaxSize=50M") { $0.accept.maxSize = 50 << 20 },
    KeyCase("Accept", "MaxSize=1.5G") { $0.accept.maxSize = 3 << 29 },
    KeyCase("Accept", "MaxSize=2 T") { $0.accept.maxSize = 2 << 40 },
    KeyCase("Accept", "MaxSize=0.0001K") { $0.accept.maxSize = 0 },
    KeyCase("Accept", "MaxItems=20") { $0.accept.maxItems = 20 },
    KeyCase("Accept", "Names=*.pdf;scan\\;[0-9]*;\\*") { $0.accept.names = ["*.pdf", "scan;[0-9]*", "\\*"] },
    KeyCase("Accept", "ExcludeNames=draft*") { $0.accept.excludeNames = ["draft*"] },
    KeyCase("Staging", "Quiet=500ms") { $0.staging.quiet = .milliseconds(500) },
    KeyCase("Staging", "Quiet=0") { $0.staging.quiet = .zero },
    KeyCase("Staging", "EmptyGrace=1min 30s") { $0.staging.emptyGrace = .seconds(90) },
    KeyCase("Staging", "EmptyGrace=1.5s") { $0.staging.emptyGrace = .milliseconds(1500) },
    KeyCase("Staging", "Stalled=1h") { $0.staging.stalled = .seconds(3600) },
    KeyCase("Staging", "Stalled=1d2h3min4s5ms") { $0.staging.stalled = .milliseconds(93_784_005) },
    KeyCase("Staging", "Rescan=5min") { $0.staging.rescan = .seconds(300) },
    KeyCase("Staging", "Ignore=*.log;*.bak") { $0.staging.ignore = ["*.log", "*.bak"] },
    KeyCase("Staging", "Temporary=*.uploading") { $0.staging.temporary = ["*.uploading"] },
    KeyCase("Staging", "Profile=") { _ in },
    KeyCase("Staging", "Marker=.done") { $0.staging.marker = ".done" },
    KeyCase("Handler", "OnDrop=/bin/sh -c 'exit  0' \"a b\"c") {
      $0.handler.command = ["/bin/sh", "-c", "exit  0", "a bc"]
    },
    KeyCase("Handler", "Mode=once") { $0.handler.mode = .once },
    KeyCase("Handler", "Timeout=5min") { $0.handler.timeout = .seconds(300) },
    KeyCase("Handler", "Attempts=3") { $0.handler.attempts = 3 },
    KeyCase("Handler", "Workers=8") { $0.handler.workers = 8 },
    KeyCase("Handler", "Changes=on") { $0.handler.changes = true },
    KeyCase("Delivery", "Operation=copy") { $0.delivery.operation = .copy },
    KeyCase("Delivery", "Collision=keep-identical") { $0.delivery.collision = .keepIdentical },
    KeyCase("Delivery", "Durable=false") { $0.delivery.durable = false },
    KeyCase("Delivery", "Digest=yes") { $0.delivery.digest = .yes },
    KeyCase("Delivery", "Flatten=1") { $0.delivery.flatten = true },
    KeyCase("Delivery", "Owner=daemon") { $0.delivery.owner = .daemon },
    KeyCase("Delivery", "Owner=alice") { $0.delivery.owner = .named("alice") },
    KeyCase("Delivery", "Group=keep") { $0.delivery.group = .keep },
    KeyCase("Delivery", "Group=scans") { $0.delivery.group = .named("scans") },
    KeyCase("Delivery", "Permissions=0640") { $0.delivery.permissions = .fixed(0o640) },
    KeyCase("Delivery", "Permissions=keep") { $0.delivery.permissions = .keep },
  ]
}

@Suite struct ZoneKeysTests {
  @Test(arguments: KeyCase.all)
  func `a key changes its setting and nothing else`(key: KeyCase) throws {
    let text = key.group == "Zone" ? key.line : "[\(key.group)]\n\(key.line)"
    var expected = ZoneSettings(name: "a", path: "/srv/drop", box: "/srv/box")
    key.effect(&expected)
    let read = try Zones.one(text).load()
    #expect(read.zones == [expected])
    #expect(read.warnings == [])
  }

  @Test func `every key of every group has a test`() {
    let tested = Set(KeyCase.all.map { "\($0.group).\($0.line.prefix { $0 != "=" })" })
    let known = ZoneGroup.all.flatMap { group in group.keys.map { "\(group.name).\($0.name)" } }
    #expect(Set(known).subtracting(tested) == ["Zone.Path", "Zone.Box"])
    #expect(known.count == Set(known).count)
  }

  @Test func `a zone needs only Path and Box`() throws {
    let zones = try Zones(["a.zone": "[Zone]\nPath = /srv//drop/./\n\n# a comment\n  Box=/srv/box/  \n"])
    #expect(try zones.load().zones == [ZoneSettings(name: "a", path: "/srv/drop", box: "/srv/box")])
  }

  @Test(arguments: ["yes", "true", "on", "1", "Yes"])
  func `these mean yes`(word: String) throws {
    #expect(try Zones.one("Prune=\(word)").load().zones.first?.prune == true)
  }

  @Test(arguments: ["no", "false", "off", "0", "NO"])
  func `these mean no`(word: String) throws {
    #expect(try Zones.one("Recursive=\(word)").load().zones.first?.recursive == false)
  }

  @Test(arguments: [
    ("/bin/x a  b\tc", ["/bin/x", "a", "b", "c"]),
    ("/bin/x ''", ["/bin/x", ""]),
    ("/bin/x \"a 'b' c\" 'd \"e\" f'", ["/bin/x", "a 'b' c", "d \"e\" f"]),
    ("/bin/x a\\ b \\\"c\\\" \\x41\\102\\n\\t\\\\", ["/bin/x", "a b", "\"c\"", "AB\n\t\\"]),
    ("\"/bin/a b\" $HOME %n *.pdf ~", ["/bin/a b", "$HOME", "%n", "*.pdf", "~"]),
    ("/bin/x 'a\\'b'", ["/bin/x", "a'b"]),
    ("/bin/x \\xc3\\xa4;b", ["/bin/x", "ä;b"]),
  ])
  func `a command is split at spaces, with quotes and escapes, and nothing is expanded`(
    text: String, words: [String]
  ) throws {
    #expect(try Zones.one("[Handler]\nOnDrop=\(text)").load().zones.first?.handler.command == words)
  }

  @Test func `a command without a slash is looked up in PATH`() throws {
    let zones = try Zones.one("[Handler]\nOnDrop=judge --fast")
    #expect(
      zones.errors() == [
        "a.zone:5: [Handler] OnDrop=judge --fast: 'judge' is not in PATH; write the full path, beginning with '/'"
      ])
    try zones.makeDirectory("bin")
    try zones.link("bin/judge", to: "/bin/sh")
    let path = zones.path + "/bin/judge"
    #expect(try zones.load().zones.first?.handler.command == [path, "--fast"])
  }
}
