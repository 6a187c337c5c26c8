package import DropEngine
internal import FoundationEssentials

/// A line that a handler in `Mode=stream` printed: the answer about one payload.
package struct StreamAnswer: Sendable {
  package var id: DropID
  package var outcome: HandlerOutcome
  package var retryAfter: Duration?

  /// A line from which it is not clear which payload it is about.
  package struct Garbage: Error, Hashable, Sendable {
    package let message: String

    package init(message: String) {
      self.message = message
    }
  }

  package static func read(_ line: [UInt8]) throws(Garbage) -> StreamAnswer {
    let object: Object
    do {
      object = try JSONDecoder().decode(Object.self, from: Data(line))
    } catch DecodingError.typeMismatch(_, let context) {
      throw Garbage(message: "`\(context.codingPath.last?.stringValue ?? "the line")` is of the wrong type")
    } catch DecodingError.keyNotFound(let key, _) {
      throw Garbage(message: "`\(key.stringValue)` is missing")
    } catch {
      throw Garbage(message: "a line is not a JSON object: '\(Escaping.escape(Array(line.prefix(64))))'")
    }
    guard let id = DropID(object.id) else {
      throw Garbage(message: "`id` is not valid: '\(Escaping.escape(object.id))'")
    }
    return StreamAnswer(
      id: id, outcome: outcome(object), retryAfter: object.retryAfter.flatMap { duration(seconds: $0) })
  }

  private static func outcome(_ object: Object) -> HandlerOutcome {
    let answer = HandlerAnswer.answer(in: object.answer)
    let ending: HandlerEnding
    switch object.verdict {
    case "accepted": ending = .exited(0)
    case "rejected": ending = .exited(1)
    case "not-yet": ending = .exited(75)
    default:
      return .failed(
        "the handler's answer cannot be used: `verdict` is '\(Escaping.escape(object.verdict))' and must be one of "
          + "accepted, rejected, not-yet")
    }
    if case .exited(1) = ending, case .success(let answer) = answer, answer.reason == nil {
      return .rejected("refused by the handler")
    }
    return HandlerOutcome(ending: ending, answer: answer)
  }

  /// Converts seconds to a duration of at most a day; nil if they are not valid.
  private static func duration(seconds: Double) -> Duration? {
    seconds.isFinite && seconds >= 0 ? .milliseconds(Int64((min(seconds, 86_400) * 1000).rounded())) : nil
  }

  private struct Object: Decodable {
    let id: String
    let verdict: String
    let retryAfter: Double?
    /// The keys that the line of a handler for a single payload has too.
    let answer: HandlerAnswer.Object

    private enum CodingKeys: CodingKey { case id, verdict, retryAfter }

    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: CodingKeys.self)
      id = try keys.decode(String.self, forKey: .id)
      verdict = try keys.decode(String.self, forKey: .verdict)
      retryAfter = try keys.decodeIfPresent(Double.self, forKey: .retryAfter)
      answer = try HandlerAnswer.Object(from: decoder)
    }
  }
}
