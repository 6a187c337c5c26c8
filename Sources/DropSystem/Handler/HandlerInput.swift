package import DropEngine
internal import FoundationEssentials

/// A handler's standard input: the same information as in its environment, as a JSON object on one line.
package struct HandlerInput: Sendable, Encodable {
  var id: String
  var zone: String
  var name: String
  var nameBytes: String
  var location: String
  var locationBytes: String
  var path: String
  var type: String?
  var claimedType: String?
  var grade: Grade?
  var bytes: Int64
  var attempt: Int

  package init(_ drop: Drop, path: String) {
    id = drop.id.description
    zone = drop.zone
    name = drop.location.lastComponent.description
    nameBytes = Base64.encode(drop.location.lastComponent.bytes)
    location = drop.location.description
    locationBytes = Base64.encode(drop.location.bytes)
    self.path = path
    type = drop.type
    claimedType = drop.claimedType
    grade = drop.grade
    bytes = drop.size
    attempt = drop.attempts
  }

  /// The object, with a line feed.
  package var line: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
  }
}
