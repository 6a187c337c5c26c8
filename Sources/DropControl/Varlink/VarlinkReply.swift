/// Encodes the replies of the server.
enum VarlinkReply {
  /// Encodes a message, including the zero byte that ends it.
  static func success(_ parameters: some Encodable, continues: Bool = false) throws -> [UInt8] {
    try VarlinkJSON.encode(Success(parameters: parameters, continues: continues ? true : nil)) + [0]
  }

  static func failure(_ error: VarlinkError) -> [UInt8] {
    // Encoding cannot fail, because the reply contains only strings.
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

/// The parameters of a reply that only confirms success.
struct NoParameters: Codable {}

/// A reply, as the client reads it.
struct ReceivedReply<Parameters: Decodable>: Decodable {
  let parameters: Parameters
  let continues: Bool

  private enum CodingKeys: String, CodingKey { case parameters, continues, error }

  /// Throws a `VarlinkError` if the reply is an error.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try container.decodeIfPresent(String.self, forKey: .error) {
      let parameters = try? container.decodeIfPresent([String: String].self, forKey: .parameters)
      throw VarlinkError(name, (parameters ?? nil) ?? [:])
    }
    continues = try container.decodeIfPresent(Bool.self, forKey: .continues) ?? false
    parameters = try container.decode(Parameters.self, forKey: .parameters)
  }
}
