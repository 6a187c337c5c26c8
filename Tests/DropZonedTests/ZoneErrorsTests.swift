import DropEngine
import Testing

@testable import dropzoned

/// A wrong line of a zone file, and the complete message about it.
struct WrongLine: Sendable, CustomTestStringConvertible {
  let group: String
  let line: String
  let message: String

  init(_ group: String, _ line: String, _ message: String) {
    self.group = group
    self.line = line
    self.message = message
  }

  var testDescription: String { "[\(group)] \(line)" }

  static let all: [WrongLine] = [
    WrongLine("Zone", "Titel=x", "there is no such key; did you mean 'Title='?"),
    WrongLine("Zone", "path=/x", "there is no such key; did you mean 'Path='?"),
    WrongLine("Zone", "Title[de]=x", "translated values are not supported; write Title= instead"),
    WrongLine("Zone", "Quiet=1s", "there is no such key in this group; it belongs in [Staging]"),
    WrongLine("Zone", "Quite=1s", "there is no such key; did you mean 'Quiet=' in '[Staging]'?"),
    WrongLine(
      "Handler", "Zebra=1",
      "there is no such key; [Handler] has OnDrop, Mode, Timeout, Attempts, Workers, Changes"),
    WrongLine("Zone", "Unit=directory", "is not supported yet; write Unit=file"),
    WrongLine("Zone", "Unit=files", "is not 'file'; did you mean 'file'?"),
    WrongLine("Zone", "Recursive=yess", "is neither yes nor no; did you mean 'yes'?"),
    WrongLine("Zone", "Prune=2", "is neither yes nor no"),
    WrongLine("Zone", "RequireMount=zone;bix", "'bix' is not 'zone', 'box' or 'rejects'; did you mean 'box'?"),
    WrongLine("Zone", "Hold=hold", "is not absolute; write the full path, beginning with '/'"),
    WrongLine(
      "Zone", "Hold=~/hold", "is not absolute: '~' is not expanded; write the full path, beginning with '/'"),
    WrongLine("Zone", "Rejects=/srv/box/../no", "contains '..'; write the path without it"),
    WrongLine(
      "Zone", "Hold=/" + String(repeating: "n", count: 256),
      "has a component of 256 bytes; the limit is 255"),
    WrongLine("Zone", "Title=a\\nb", "has the unknown escape '\\n'; write '\\\\' for a backslash"),
    WrongLine("Zone", "Hint=a\u{1B}[1m", "contains a control character"),
    WrongLine(
      "Zone", "Tint=bleu",
      "is not a colour; write 'blue', 'red', 'orange', 'yellow', 'green', 'teal', 'purple', 'pink', 'gray' or '#rrggbb'; "
        + "did you mean 'blue'?"),
    WrongLine(
      "Zone", "Tint=#12345",
      "is not a colour; write 'blue', 'red', 'orange', 'yellow', 'green', 'teal', 'purple', 'pink', 'gray' or '#rrggbb'"
    ),
    WrongLine("Accept", "Types=image/png;image/jpg", "'image/jpg' is not a type; write 'image/jpeg'"),
    WrongLine(
      "Accept", "Grade=proven",
      "'proven' is not 'contradicted', 'unproved', 'narrowed' or 'proved'; did you mean 'proved'?"),
    WrongLine("Accept", "MinSize=50MB", "has the unit 'MB', which is not 'K', 'M', 'G' or 'T'; did you mean '50M'?"),
    WrongLine("Accept", "MaxSize=1.5", "has no unit; write 'K', 'M', 'G' or 'T' after the number"),
    WrongLine("Accept", "MaxSize=big", "is not valid; write it like 4096, 50M or 1.5G"),
    WrongLine("Accept", "MaxSize=-1", "is not valid; write it like 4096, 50M or 1.5G"),
    WrongLine("Accept", "MaxSize=1M 1K", "contains more than one size"),
    WrongLine("Accept", "MaxSize=9223372036854775808", "is larger than any file can be"),
    WrongLine("Accept", "MaxSize=99999999T", "is larger than any file can be"),
    WrongLine("Accept", "MaxItems=0", "is not between 1 and 1000000"),
    WrongLine("Accept", "MaxItems=many", "is not a whole number"),
    WrongLine("Accept", "Names=*", "'*' matches every name; leave 'Names=' empty to accept all names"),
    WrongLine("Accept", "Names=[a", "'[a' is not a valid pattern: '[' has no matching ']' (write '\\[' for a bracket)"),
    WrongLine("Accept", "ExcludeNames=?*", "'?*' matches every name; no file would ever be taken"),
    WrongLine("Staging", "Quiet=10", "has no unit; write 'ms', 's', 'min', 'h' or 'd' after the number"),
    WrongLine(
      "Staging", "Quiet=5 minutes",
      "has the unit 'minutes', which is not 'ms', 's', 'min', 'h' or 'd'; did you mean '5min'?"),
    WrongLine("Staging", "Quiet=soon", "is not valid; write it like 500ms, 2s, 5min or 1min 30s"),
    WrongLine("Staging", "EmptyGrace=1.2.3s", "is not valid; write it like 500ms, 2s, 5min or 1min 30s"),
    WrongLine("Staging", "Stalled=1ms", "is shorter than 10ms"),
    WrongLine("Staging", "Rescan=0", "has no unit; write 'ms', 's', 'min', 'h' or 'd' after the number"),
    WrongLine("Staging", "Rescan=999999999999h", "is longer than 1000 days"),
    WrongLine("Staging", "Ignore=**", "'**' matches every name; no file would ever be taken"),
    WrongLine(
      "Staging", "Ignore=a/b",
      "'a/b' is not a valid pattern: a pattern matches one component of a location, so it cannot contain '/'"),
    WrongLine("Staging", "Temporary=*", "'*' matches every name; no file would ever be released"),
    WrongLine(
      "Staging", "Profile=samba",
      "is not supported yet; leave 'Profile=' empty and write Quiet=, Ignore= and Temporary= instead"),
    WrongLine(
      "Staging", "Marker=done",
      "must begin with '.', '-' or '_', followed by at least one character; did you mean '.done'?"),
    WrongLine("Staging", "Marker=.a/b", "is not the ending of a name, because it contains '/'"),
    WrongLine("Staging", "Marker=.part", "is the ending of temporary names"),
    WrongLine("Handler", "Mode=twice", "is not 'once' or 'stream'"),
    WrongLine("Handler", "Attempts=0", "is not between 1 and 1000"),
    WrongLine("Handler", "Workers=1000", "is not between 1 and 256"),
    WrongLine("Handler", "OnDrop=''", "does not name a program"),
    WrongLine("Handler", "OnDrop=./x", "'./x' is not absolute; write the full path, beginning with '/'"),
    WrongLine("Handler", "OnDrop=/bin/x \"a", "has no closing double quote"),
    WrongLine("Handler", "OnDrop=/bin/x 'a", "has no closing single quote"),
    WrongLine("Handler", "OnDrop=/bin/x \\", "ends with a backslash; write '\\\\' for a literal one"),
    WrongLine("Handler", "OnDrop=/bin/x \\d", "has the unknown escape '\\d'; write '\\\\' for a backslash"),
    WrongLine("Handler", "OnDrop=/bin/x \\xg0", "has an escape that needs 2 hexadecimal digits"),
    WrongLine("Handler", "OnDrop=/bin/x \\777", "has an escape that needs 3 octal digits"),
    WrongLine("Handler", "OnDrop=/bin/x \\0", "has an escape that needs 3 octal digits"),
    WrongLine("Handler", "OnDrop=/bin/x \\x00", "has an argument that is not valid text"),
    WrongLine("Handler", "OnDrop=/bin/x \\xff", "has an argument that is not valid text"),
    WrongLine("Delivery", "Operation=mvoe", "is not 'move' or 'copy'; did you mean 'move'?"),
    WrongLine(
      "Delivery", "Collision=keep_identical",
      "is not 'rename', 'reject', 'replace' or 'keep-identical'; did you mean 'keep-identical'?"),
    WrongLine("Delivery", "Digest=on", "is not 'auto', 'yes' or 'no'; did you mean 'no'?"),
    WrongLine("Delivery", "Owner=bob", "is not 'keep', 'daemon' or a user on this machine"),
    WrongLine(
      "Delivery", "Group=inherrit", "is not 'inherit', 'keep' or a group on this machine; did you mean 'inherit'?"),
    WrongLine("Delivery", "Permissions=0888", "is not 'inherit', 'keep' or an octal number such as 0640"),
    WrongLine("Delivery", "Permissions=4755", "is more than 0777; the set-id and sticky bits are never set"),
  ]
}

@Suite struct ZoneErrorsTests {
  @Test(arguments: WrongLine.all)
  func `the error for a wrong line says what is wrong and what was probably meant`(wrong: WrongLine) throws {
    let text = wrong.group == "Zone" ? wrong.line : "[\(wrong.group)]\n\(wrong.line)"
    let line = wrong.group == "Zone" ? 4 : 5
    let shown = wrong.line.utf8.count > 100 ? "" : Escaping.escape(wrong.line)
    let errors = try Zones.one(text).errors()
    #expect(errors.count == 1)
    if shown.isEmpty {
      #expect(errors.first?.hasSuffix("…: \(wrong.message)") == true)
    } else {
      #expect(errors.first == "a.zone:\(line): [\(wrong.group)] \(shown): \(wrong.message)")
    }
  }

  @Test(arguments: [
    ("[Acept]", "a.zone:4: [Acept]: there is no such group; did you mean '[Accept]'?"),
    ("[Elsewhere]", "a.zone:4: [Elsewhere]: there is no such group"),
    ("[Accept]\nMinSize=2M\nMaxSize=1M", "a.zone:5: [Accept] MinSize=2M: is more than MaxSize=1M"),
    (
      "[Staging]\nIgnore=*.ok\nMarker=.ok", "a.zone:6: [Staging] Marker=.ok: is the ending of names that are ignored"
    ),
    ("[Zone]", "a.zone:4: the group '[Zone]' is already in line 1"),
    ("Path=/other", "a.zone:4: 'Path' is already in line 2"),
    ("[Zone", "a.zone:4: '[Zone' is not a group; write its name in brackets, such as '[Zone]'"),
    ("Quiet 5s", "a.zone:4: 'Quiet 5s' is neither a group nor KEY=VALUE"),
    ("; Path=/x", "a.zone:4: comments begin with '#'"),
    ("=x", "a.zone:4: there is no key before '='"),
    ("Ti tle=x", "a.zone:4: 'Ti tle' is not a valid key"),
  ])
  func `anything that does not belong in a zone file is an error`(text: String, message: String) throws {
    #expect(try Zones.one(text).errors() == [message])
  }

  @Test(arguments: [
    (
      "",
      [
        "a.zone: [Zone] Path=: is missing; write an absolute path",
        "a.zone: [Zone] Box=: is missing; write an absolute path",
      ]
    ),
    ("[Zone]\nPath=/srv/drop\n", ["a.zone: [Zone] Box=: is missing; write an absolute path"]),
    ("[Zone]\nPath=/srv/drop\nBox=", ["a.zone:3: [Zone] Box=: is missing; write an absolute path"]),
    (
      "[Zone]\nPath=drop\nBox=/srv/box\n",
      ["a.zone:2: [Zone] Path=drop: is not absolute; write the full path, beginning with '/'"]
    ),
    ("Path=/srv/drop\n", ["a.zone:1: 'Path' comes before the first group, such as '[Zone]'"]),
    ("\u{FEFF}[Zone]\n", ["a.zone:1: the file begins with a byte order mark; save it as UTF-8 without one"]),
    ("[Zone]\r\nPath=/x\r\n", ["a.zone:1: the line ends with CR LF; save the file with LF line endings"]),
    ("[Zone]\nTitle=a\0b\n", ["a.zone:2: the line contains a zero byte; this is not a text file"]),
  ])
  func `a file that does not describe a zone is refused`(text: String, messages: [String]) throws {
    #expect(try Zones(["a.zone": text]).errors() == messages)
  }

  @Test func `the error for invalid UTF-8 gives the line`() throws {
    let zones = try Zones()
    try zones.write(Array("[Zone]\nTitle=".utf8) + [0xFF, 0x0A], to: "zones/a.zone")
    #expect(zones.errors() == ["a.zone:2: the line is not valid UTF-8"])
  }

  @Test func `a file that is too long is refused`() throws {
    let zones = try Zones(["a.zone": String(repeating: "#\n", count: 524_289)])
    #expect(zones.errors() == ["a.zone: the file is longer than 1048576 bytes"])
  }

  @Test func `directories, devices and dangling links are refused`() throws {
    let zones = try Zones()
    try zones.makeDirectory("zones/a.zone")
    try zones.link("zones/b.zone", to: "/dev/null")
    try zones.link("zones/c.zone", to: "/nowhere")
    #expect(
      zones.errors() == [
        "a.zone: it cannot be read: Is a directory", "b.zone: it is not a regular file",
        "c.zone: it cannot be read: No such file or directory",
      ])
  }

  @Test func `all errors in all files are reported at once`() throws {
    let zones = try Zones([
      "a.zone": "[Zone]\nPath=a\nBox=b\n[Accept]\nNames=*;[a\nMinSize=x\n",
      "b.zone": "[Zone]\nPath=/srv/b\nBox=/srv/box\nTint=x\n", "b.zone.d/1.conf": "[Staging]\nQuiet=x\n",
    ])
    #expect(
      zones.errors().map { $0.prefix { $0 != " " } } == [
        "a.zone:2:", "a.zone:3:", "a.zone:5:", "a.zone:5:", "a.zone:6:", "b.zone:4:", "b.zone.d/1.conf:2:",
      ])
  }

  @Test func `messages cannot control the terminal, whatever the file contains`() throws {
    let error = try Zones.one("Ti\u{202E}tle=\u{202E}x").errors()
    #expect(error == ["a.zone:4: 'Ti\\u{202E}tle' is not a valid key"])
  }
}
