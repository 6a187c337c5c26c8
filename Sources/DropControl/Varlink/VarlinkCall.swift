/// A call from a client.
struct VarlinkCall: Decodable {
  let method: String
  /// Whether the client accepts several replies.
  let more: Bool
  /// Whether the client wants no reply.
  let oneway: Bool
  /// Whether the client wants to switch to another protocol.
  let upgrade: Bool
  var parameters: CallParameters

  private enum CodingKeys: String, CodingKey { case method, parameters, more, oneway, upgrade }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    method = try container.decode(String.self, forKey: .method)
    more = try container.decodeIfPresent(Bool.self, forKey: .more) ?? false
    oneway = try container.decodeIfPresent(Bool.self, forKey: .oneway) ?? false
    upgrade = try container.decodeIfPresent(Bool.self, forKey: .upgrade) ?? false
    parameters = try container.decodeIfPresent(CallParameters.self, forKey: .parameters) ?? CallParameters()
  }

  init(_ message: [UInt8]) throws {
    self = try VarlinkJSON.decode(VarlinkCall.self, from: message)
  }

  /// The part of the method's name before the last dot.
  var interface: String { String(method[..<(method.lastIndex(of: ".") ?? method.startIndex)]) }
  /// The part of the method's name after the last dot.
  var member: String { method.lastIndex(of: ".").map { String(method[method.index(after: $0)...]) } ?? method }
}

/// The parameters of a call. They are taken by name, and any that remain are an error.
struct CallParameters: Decodable {
  private var values: KeyedDecodingContainer<Name>?
  private var taken: Set<String> = []

  init() {}

  init(from decoder: any Decoder) throws {
    values = try decoder.container(keyedBy: Name.self)
  }

  /// Returns the parameter `name`; nil if it is absent or null.
  mutating func take<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws(VarlinkError) -> Value? {
    taken.insert(name)
    do {
      return try values?.decodeIfPresent(type, forKey: Name(name))
    } catch {
      throw .invalidParameter(name)
    }
  }

  /// Returns the parameter `name`, which is required.
  mutating func require<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws(VarlinkError) -> Value
  {
    guard let value = try take(name, type) else { throw .invalidParameter(name) }
    return value
  }

  /// Throws if there are other parameters, so that a misspelt parameter is not mistaken for a missing one.
  func finish() throws(VarlinkError) {
    let unknown = values?.allKeys.map(\.stringValue).filter { !taken.contains($0) }.min()
    if let unknown { throw .invalidParameter(unknown) }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}
