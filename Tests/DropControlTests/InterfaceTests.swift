import DropControl
import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(2))) struct InterfaceTests {
  /// The fields of a type in the definition of the interface.
  private func fields(of type: String) -> Set<String> {
    let text = ZonesInterface.description
    guard let start = text.firstRange(of: "\ntype \(type) (") else { return [] }
    let lines = text[start.upperBound...].prefix { $0 != ")" }.split(separator: "\n")
    let fields = lines.filter { !$0.contains("#") }.flatMap { $0.split(separator: ",") }
    return Set(fields.map { field in String(field.prefix { $0 != ":" }.filter { $0 != " " }) })
  }

  private func keys(of value: some Encodable) throws -> Set<String> {
    try VarlinkJSON.decode(Keys.self, from: VarlinkJSON.encode(value)).names
  }

  @Test func `the definition of the interface has the fields that are sent`() throws {
    let zone = ZoneStatus.sample("a").targeted(by: "b")
    var receipt = Receipt.sample("a", reason: .init(code: .type, message: ""))
    receipt.afterCrash = true
    receipt.warnings = ["w"]
    receipt.handler = .init(exit: 1, signal: nil, output: "")
    let rule = Explanation.Rule(rule: "Types", passes: nil, detail: "")
    let explanation = Explanation(zone: "", location: "", locationBytes: "", state: .staged)
    let sent: [(String, any Encodable)] = [
      ("Zone", zone), ("Staged", zone.staged[0]), ("Daemon", DaemonStatus.sample), ("Receipt", receipt),
      ("Entry", HistoryEntry(sequence: 1, receipt: receipt)), ("Rule", rule), ("Explanation", explanation),
      ("Reason", Receipt.Reason(code: .type, message: "")),
      ("Handler", Receipt.HandlerReport(exit: nil, signal: nil, output: "")),
    ]
    for (type, value) in sent {
      let keys = try keys(of: value)
      #expect(fields(of: type) == keys, "\(type)")
    }
  }

  @Test func `a staged payload is encoded as documented, and decoded without loss`() throws {
    let staged = StagedStatus(
      id: DropID(milliseconds: 1_772_348_889_010, high: 1, low: 2),
      rawLocation: RawPath(bytes: [0x61, 0x2F, 0xFF, 0x0A]),
      bytes: 7, firstSeen: 1_772_348_889_010, waiting: .temporaryName, detail: "a \"name\"")
    let text = try VarlinkJSON.encode(staged)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"bytes":7,"detail":"a \"name\"","id":"\#(staged.id)","location":"a/\\xFF\\u{A}","locationBytes":"YS//Cg==","#
        + #""since":"2026-03-01T07:08:09.010Z","waiting":"temporary-name"}"#)
    #expect(try VarlinkJSON.decode(StagedStatus.self, from: text) == staged)
  }

  /// A Python that has the `varlink` package from PyPI: DZ_VARLINK_PYTHON, or the system's.
  private static let python: String? = {
    let candidates = [Environment["DZ_VARLINK_PYTHON"], "/usr/bin/python3", "/usr/local/bin/python3"].compactMap { $0 }
    return candidates.first { RawPath($0).exists && hasVarlink($0) }
  }()

  private static func hasVarlink(_ python: String) -> Bool {
    // Look in the file system instead of running the interpreter, because this runs before tests may wait.
    let home = RawPath(python).parent.parent.appending("lib")
    let libraries = (try? ScratchDirectory.names(in: home.description)) ?? []
    return libraries.contains { library in
      ["site-packages", "dist-packages"].contains { packages in
        home.appending(RawPath("\(library)/\(packages)/varlink/client.py")).exists
      }
    }
  }

  @Test(.enabled(if: python != nil, "no Python with the varlink package; set DZ_VARLINK_PYTHON"))
  func `the varlink client from PyPI understands the interface, replies, streams and errors`() async throws {
    let zones = ScriptedZones()
    zones.add(.sample("a.pdf"))
    zones.publish(ZoneStatus.sample("photos").targeted(by: "x.jpg"))
    try await ControlRig.run(zones) { rig in
      let script = """
        import sys, varlink
        with varlink.Client.new_with_address('unix:' + sys.argv[1]) as client:
          with client.open('io.dropzone.Zones') as zones:
            report = zones.List()
            print([zone['name'] for zone in report['zones']], report['zones'][1]['staged'][0]['location'])
            print(zones.List(['photos'])['zones'][0]['isTargeted'])
            print(zones.History()['entries'][0]['receipt']['name'])
            print(zones.Explain('/srv/drop/photos/x.jpg')['explanation']['rules'][1].get('passes'))
            print(zones.Wait(milliseconds=10)['settled'])
            zones.Pause(['photos'])
            try:
              zones.List(['nowhere'])
            except varlink.VarlinkError as error:
              print(error.error(), error.parameters())
            changes = zones.Monitor(_more=True)
            print([next(changes)['n'], next(changes)['zone']['name']])
        """
      let result = try await Program.run(try #require(Self.python), ["-c", RawPath(script), rig.path])
      #expect(result.errors.isEmpty)
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(
        lines == [
          "['invoices', 'photos'] x.jpg", "True", "a.pdf", "None", "True",
          "io.dropzone.Zones.NoSuchZone {'zone': 'nowhere'}", "[1, 'photos']",
        ])
      #expect(zones.requests == ["pause photos"])
    }
  }
}

/// The keys of an object, whatever their values are.
private struct Keys: Decodable {
  let names: Set<String>

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    names = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
  }
}
