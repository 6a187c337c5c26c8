package import DropEngine
internal import FoundationEssentials

extension HandlerAnswer {
  /// Parses the first line of a handler's output, which is a JSON object or the plain reason.
  package static func read(_ line: [UInt8], isWhole: Bool = true) -> Result<HandlerAnswer, Flaw> {
    guard looksLikeObject(line) else { return .success(HandlerAnswer(reason: reason(line))) }
    guard isWhole else {
      return .failure(Flaw("the object is longer than \(CapturedOutput.limit) bytes", reason: reason(line)))
    }
    let object: Object
    do {
      object = try JSONDecoder().decode(Object.self, from: Data(line))
    } catch DecodingError.typeMismatch(_, let context) {
      return .failure(Flaw("`\(key(context))` is not a string", reason: reason(line)))
    } catch {
      return .failure(Flaw("the line begins like a JSON object, but is not valid", reason: reason(line)))
    }
    return answer(in: object)
  }

  static func answer(in object: Object) -> Result<HandlerAnswer, Flaw> {
    let reason = object.reason.flatMap { self.reason(Array($0.utf8)) }
    do throws(Flaw) {
      return .success(
        HandlerAnswer(
          reason: reason,
          operation: try object.operation.map(operation),
          destination: try path(object.destination, object.destinationBytes, key: "destination", destination),
          name: try path(object.name, object.nameBytes, key: "name", name)))
    } catch {
      return .failure(Flaw(error.message, reason: reason))
    }
  }

  /// The object that the handler prints. Other keys are ignored.
  struct Object: Decodable {
    var reason: String?
    var operation: String?
    var destination: String?
    var destinationBytes: String?
    var name: String?
    var nameBytes: String?
  }

  private static func key(_ context: DecodingError.Context) -> String {
    context.codingPath.last?.stringValue ?? "the answer"
  }

  private static func operation(_ text: String) throws(Flaw) -> Operation {
    guard let operation = Operation(rawValue: text) else {
      throw Flaw("`operation` is '\(Escaping.escape(text))' and must be one of move, copy, forbidden")
    }
    return operation
  }

  /// The bytes if they are given, or else the text.
  private static func path(
    _ text: String?, _ base64: String?, key: String, _ check: (RawPath, String) throws(Flaw) -> RawPath
  ) throws(Flaw) -> RawPath? {
    if let base64 {
      guard let bytes = Data(base64Encoded: base64) else { throw Flaw("`\(key)Bytes` is not base64") }
      return try check(RawPath(bytes: Array(bytes)), key + "Bytes")
    }
    guard let text else { return nil }
    return try check(RawPath(text), key)
  }
}
