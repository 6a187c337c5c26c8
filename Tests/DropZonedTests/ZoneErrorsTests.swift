import DropEngine
import Testing

@testable import dropzoned

/// A wrong line of a zone file, and the whole of what is said of it.
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
    WrongLine("Zone", "Title[de]=x", "a value in several languages is not supported; write Title= alone"),
    WrongLine("Zone", "Quiet=1s", "there is no such key in this group; it belongs into [Staging]"),
    WrongLine("Zone", "Quite=1s", "there is no such key; did you mean 'Quiet=' in '[Staging]'?"),
    WrongLine(
      "Handler", "Zebra=1",
      "there is no such key; [Handler] has OnDrop, Mode, Timeout, Attempts, Workers, Changes"),
    WrongLine("Zone", "Unit=directory", "is not supported yet; write Unit=file"),
    WrongLine("Zone", "Unit=files", "is not 'file'; did you mean 'file'?"),
    WrongLine("Zone", "Recursive=yess", "is neither yes nor no; did you mean 'yes'?"),
    WrongLine("Zone", "Prune=2", "is neither yes nor no"),
    WrongLine("Zone", "RequireMount=zone;bix", "'bix' is not 'zone', 'box' or 'rejects'; did you mean 'box'?"),
    WrongLine("Zone", "Hold=hold", "is not absolute; write the whole path, beginning with '/'"),
    WrongLine(
      "Zone", "Hold=~/hold", "is not absolute: '~' is not expanded; write the whole path, beginning with '/'"),
    WrongLine("Zone", "Rejects=/srv/box/../no", "has '..' in it; write where it leads"),
    WrongLine(
      "Zone", "Hold=/" + String(repeating: "n", count: 256),
      "has a part of 256 bytes; a name has 255 at most"),
    WrongLine("Zone", "Title=a\\nb", "has '\\n', which is no escape; write '\\\\' for a backslash"),
    WrongLine("Zone", "Hint=a\u{1B}[1m", "has a control character"),
    WrongLine(
      "Zone", "Tint=bleu",
      "is no colour; write 'blue', 'red', 'orange', 'yellow', 'green', 'teal', 'purple', 'pink', 'gray' or '#rrggbb'; "
        + "did you mean 'blue'?"),
    WrongLine(
      "Zone", "Tint=#12345",
      "is no colour; write 'blue', 'red', 'orange', 'yellow', 'green', 'teal', 'purple', 'pink', 'gray' or '#rrggbb'"),
    WrongLine("Accept", "Types=image/png;image/jpg", "'image/jpg' is no type; write 'image/jpeg'"),
    WrongLine(
      "Accept", "Grade=proven",
      "'proven' is not 'contradicted', 'unproved', 'narrowed' or 'proved'; did you mean 'proved'?"),
    WrongLine("Accept", "MinSize=50MB", "has the unit 'MB', which is not 'K', 'M', 'G' or 'T'; did you mean '50M'?"),
    WrongLine("Accept", "MaxSize=1.5", "has no unit; write 'K', 'M', 'G' or 'T' behind the number"),
    WrongLine("Accept", "MaxSize=big", "is not understood; write it like 4096, 50M or 1.5G"),
    WrongLine("Accept", "MaxSize=-1", "is not understood; write it like 4096, 50M or 1.5G"),
    WrongLine("Accept", "MaxSize=1M 1K", "is more than one size"),
    WrongLine("Accept", "MaxSize=9223372036854775808", "is more bytes than any file has"),
    WrongLine("Accept", "MaxSize=99999999T", "is more bytes than any file has"),
    WrongLine("Accept", "MaxItems=0", "is not between 1 and 1000000"),
    WrongLine("Accept", "MaxItems=many", "is no whole number"),
    WrongLine("Accept", "Names=*", "'*' matches every name; leave 'Names=' empty to take all of them"),
    WrongLine("Accept", "Names=[a", "'[a' is no pattern: '[' has no ']' (write '\\[' for a bracket)"),
    WrongLine("Accept", "ExcludeNames=?*", "'?*' matches every name; nothing would be left to take"),
    WrongLine("Staging", "Quiet=10", "has no unit; write 'ms', 's', 'min', 'h' or 'd' behind the number"),
    WrongLine(
      "Staging", "Quiet=5 minutes",
      "has the unit 'minutes', which is not 'ms', 's', 'min', 'h' or 'd'; did you mean '5min'?"),
    WrongLine("Staging", "Quiet=soon", "is not understood; write it like 500ms, 2s, 5min or 1min 30s"),
    WrongLine("Staging", "EmptyGrace=1.2.3s", "is not understood; write it like 500ms, 2s, 5min or 1min 30s"),
    WrongLine("Staging", "Stalled=1ms", "is shorter than 10ms"),
    WrongLine("Staging", "Rescan=0", "has no unit; write 'ms', 's', 'min', 'h' or 'd' behind the number"),
    WrongLine("Staging", "Rescan=999999999999h", "is longer than 1000 days"),
    WrongLine("Staging", "Ignore=**", "'**' matches every name; nothing would be left to take"),
    WrongLine(
      "Staging", "Ignore=a/b", "'a/b' is no pattern: a pattern stands for one part of a location and has no '/'"),
    WrongLine("Staging", "Temporary=*", "'*' matches every name; nothing would ever be released"),
    WrongLine(
      "Staging", "Profile=samba",
      "is not supported yet; leave 'Profile=' empty and write Quiet=, Ignore= and Temporary= instead"),
    WrongLine(
      "Staging", "Marker=done", "does not begin with '.', '-' or '_' and something behind it; did you mean '.done'?"),
    WrongLine("Staging", "Marker=.a/b", "is no ending of a name: it has '/' in it"),
    WrongLine("Staging", "Marker=.part", "is the ending of a temporary name"),
    WrongLine("Handler", "Mode=twice", "is not 'once' or 'stream'"),
    WrongLine("Handler", "Attempts=0", "is not between 1 and 1000"),
    WrongLine("Handler", "Workers=1000", "is not between 1 and 256"),
    WrongLine("Handler", "OnDrop=''", "names no program"),
    WrongLine("Handler", "OnDrop=./x", "'./x' is not absolute; write the whole path, beginning with '/'"),
    WrongLine("Handler", "OnDrop=/bin/x \"a", "has no closing double quote"),
    WrongLine("Handler", "OnDrop=/bin/x 'a", "has no closing single quote"),
    WrongLine("Handler", "OnDrop=/bin/x \\", "ends in a backslash; write '\\\\' for one"),
    WrongLine("Handler", "OnDrop=/bin/x \\d", "has '\\d', which is no escape; write '\\\\' for a backslash"),
    WrongLine("Handler", "OnDrop=/bin/x \\xg0", "has an escape that needs 2 digits of base 16"),
    WrongLine("Handler", "OnDrop=/bin/x \\777", "has an escape that needs 3 digits of base 8"),
    WrongLine("Handler", "OnDrop=/bin/x \\0", "has an escape that needs 3 digits of base 8"),
    WrongLine("Handler", "OnDrop=/bin/x \\x00", "has an argument that is no text"),
    WrongLine("Handler", "OnDrop=/bin/x \\xff", "has an argument that is no text"),
    WrongLine("Delivery", "Operation=mvoe", "is not 'move' or 'copy'; did you mean 'move'?"),
    WrongLine(
      "Delivery", "Collision=keep_identical",
      "is not 'rename', 'reject', 'replace' or 'keep-identical'; did you mean 'keep-identical'?"),
    WrongLine("Delivery", "Digest=on", "is not 'auto', 'yes' or 'no'; did you mean 'no'?"),
    WrongLine("Delivery", "Owner=bob", "is neither 'keep', 'daemon' nor a user of this machine"),
    WrongLine(
      "Delivery", "Group=inherrit", "is neither 'inherit', 'keep' nor a group of this machine; did you mean 'inherit'?"),
    WrongLine("Delivery", "Permissions=0888", "is neither 'inherit', 'keep' nor an octal number such as 0640"),
    WrongLine("Delivery", "Permissions=4755", "is more than 0777; the set-id and sticky bits are never set"),
  ]
}

@Suite struct ZoneErrorsTests {
  @Test(arguments: WrongLine.all)
  func `a wrong line is named with what is wrong and what was meant`(wrong: WrongLine) throws {
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
      "[Staging]\nIgnore=*.ok\nMarker=.ok", "a.zone:6: [Staging] Marker=.ok: is the ending of names that are left alone"
    ),
    ("[Zone]", "a.zone:4: the group '[Zone]' is in line 1 already"),
    ("Path=/other", "a.zone:4: 'Path' is in line 2 already"),
    ("[Zone", "a.zone:4: '[Zone' is no group; write its name in brackets, such as '[Zone]'"),
    ("Quiet 5s", "a.zone:4: 'Quiet 5s' is neither a group nor KEY=VALUE"),
    ("; Path=/x", "a.zone:4: comments begin with '#'"),
    ("=x", "a.zone:4: nothing stands before '='"),
    ("Ti tle=x", "a.zone:4: 'Ti tle' is no key"),
  ])
  func `what does not belong into a zone file is named`(text: String, message: String) throws {
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
      ["a.zone:2: [Zone] Path=drop: is not absolute; write the whole path, beginning with '/'"]
    ),
    ("Path=/srv/drop\n", ["a.zone:1: 'Path' stands before any group, such as '[Zone]'"]),
    ("\u{FEFF}[Zone]\n", ["a.zone:1: the file begins with a byte order mark; save it as UTF-8 without one"]),
    ("[Zone]\r\nPath=/x\r\n", ["a.zone:1: the line ends in CR LF; save the file with LF alone"]),
    ("[Zone]\nTitle=a\0b\n", ["a.zone:2: the line holds a zero byte; this is no text file"]),
  ])
  func `a file that is no zone is refused`(text: String, messages: [String]) throws {
    #expect(try Zones(["a.zone": text]).errors() == messages)
  }

  @Test func `bytes that are no text are refused by line`() throws {
    let zones = try Zones()
    try zones.write(Array("[Zone]\nTitle=".utf8) + [0xFF, 0x0A], to: "zones/a.zone")
    #expect(zones.errors() == ["a.zone:2: the line is not valid UTF-8"])
  }

  @Test func `a file that is too long is not read`() throws {
    let zones = try Zones(["a.zone": String(repeating: "#\n", count: 524_289)])
    #expect(zones.errors() == ["a.zone: the file is longer than 1048576 bytes"])
  }

  @Test func `a directory or a device is no zone file`() throws {
    let zones = try Zones()
    try zones.makeDirectory("zones/a.zone")
    try zones.link("zones/b.zone", to: "/dev/null")
    try zones.link("zones/c.zone", to: "/nowhere")
    #expect(
      zones.errors() == [
        "a.zone: it cannot be read: Is a directory", "b.zone: it is no regular file",
        "c.zone: it cannot be read: No such file or directory",
      ])
  }

  @Test func `everything that is wrong in all files is said at once`() throws {
    let zones = try Zones([
      "a.zone": "[Zone]\nPath=a\nBox=b\n[Accept]\nNames=*;[a\nMinSize=x\n",
      "b.zone": "[Zone]\nPath=/srv/b\nBox=/srv/box\nTint=x\n", "b.zone.d/1.conf": "[Staging]\nQuiet=x\n",
    ])
    #expect(
      zones.errors().map { $0.prefix { $0 != " " } } == [
        "a.zone:2:", "a.zone:3:", "a.zone:5:", "a.zone:5:", "a.zone:6:", "b.zone:4:", "b.zone.d/1.conf:2:",
      ])
  }

  @Test func `what a stranger could have written steers no terminal`() throws {
    let error = try Zones.one("Ti\u{202E}tle=\u{202E}x").errors()
    #expect(error == ["a.zone:4: 'Ti\\u{202E}tle' is no key"])
  }
}
