/// One reply, as the server sends it.
enum VarlinkReply {
  /// `message` with the zero that ends it.
  static func success(_ parameters: some Encodable, continues: Bool = false) throws -> [UInt8] {
    try VarlinkJSON.encode(Success(parameters: parameters, continues: continues ? true : nil)) + [0]
  }

  static func failure(_ error: VarlinkError) -> [UInt8] {
    // Strings only: there is nothing in it that JSON could not hold.
    ((try? VarlinkJSON.encode(Failure(error: error.name, parameters: error.parameters))) ?? []) + [0]
  }

  private struct Success<Parameters: Encodable>: Encodable {
    let parameters: Parameters
    let continues: Bool?
  }

  private struct Failure: Encodable {
    let error: String
    let parameters: [String: String]
  }
}

/// The parameters of a reply that says nothing but that it was done.
struct NoParameters: Codable {}

/// One reply, as the client reads it.
struct ReceivedReply<Parameters: Decodable>: Decodable {
  let parameters: Parameters
  let continues: Bool

  private enum CodingKeys: String, CodingKey { case parameters, continues, error }

  /// Throws the `VarlinkError` that the reply is, where it is one.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try container.decodeIfPresent(String.self, forKey: .error) {
      let said = try? container.decodeIfPresent([String: String].self, forKey: .parameters)
      throw VarlinkError(name, (said ?? nil) ?? [:])
    }
    continues = try container.decodeIfPresent(Bool.self, forKey: .continues) ?? false
    parameters = try container.decode(Parameters.self, forKey: .parameters)
  }
}
