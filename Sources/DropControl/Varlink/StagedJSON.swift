internal import DropEngine

/// Long lists of staged payloads as JSON: the encoder of the library takes twenty times as long for them.
enum StagedJSON {
  /// The bytes of `value`, whose lists of staged payloads are empty, with `lists` in their places.
  static func encode(_ value: some Encodable, filling lists: [[StagedStatus]]) throws -> [UInt8] {
    let bare = try VarlinkJSON.encode(value)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bare.count + lists.reduce(0) { $0 + $1.count } * 256)
    var rest = bare[...]
    for list in lists {
      // In a string its quotation marks would be escaped, so that this is the key and nothing else.
      guard let place = index(of: empty, in: rest) else { break }
      bytes += rest[..<(place + empty.count - 1)]
      for (index, payload) in list.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(payload, to: &bytes)
      }
      rest = rest[(place + empty.count - 1)...]
    }
    return bytes + rest
  }

  private static let empty = Array(#""staged":[]"#.utf8)

  private static func index(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = part.first, bytes.count >= part.count else { return nil }
    return (bytes.startIndex...(bytes.endIndex - part.count)).first {
      bytes[$0] == first && bytes[$0..<($0 + part.count)].elementsEqual(part)
    }
  }

  /// Every key, in the order of the letters.
  private static func append(_ payload: StagedStatus, to bytes: inout [UInt8]) {
    bytes += #"{"bytes":"#.utf8
    bytes += String(payload.bytes).utf8
    append(#","detail":"#, payload.detail, to: &bytes)
    append(#","id":"#, payload.id, to: &bytes)
    append(#","location":"#, payload.location, to: &bytes)
    append(#","locationBytes":"#, payload.locationBytes, to: &bytes)
    append(#","since":"#, payload.since, to: &bytes)
    append(#","waiting":"#, payload.waiting.rawValue, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(_ key: String, _ text: String, to bytes: inout [UInt8]) {
    bytes += key.utf8
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        let hex = String(byte, radix: 16)
        bytes += (hex.count == 1 ? "\\u000" : "\\u00").utf8
        bytes += hex.utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// What a reply says of zones, with lists of staged payloads that may be long.
protocol ListsStaged: Encodable {
  /// In the order in which they are written.
  var stagedLists: [[StagedStatus]] { get }
  var withoutStaged: Self { get }
}

extension StatusReport: ListsStaged {
  var stagedLists: [[StagedStatus]] { zones.map(\.staged) }

  var withoutStaged: StatusReport {
    var bare = self
    for index in bare.zones.indices { bare.zones[index].staged = [] }
    return bare
  }
}

extension MonitorReply: ListsStaged {
  var stagedLists: [[StagedStatus]] { zone.map { [$0.staged] } ?? [] }

  var withoutStaged: MonitorReply { MonitorReply(n: n, at: at, zone: zone.map(Self.bare), overrun: overrun) }

  private static func bare(_ zone: ZoneStatus) -> ZoneStatus {
    var zone = zone
    zone.staged = []
    return zone
  }
}
