internal import DropZones

/// The answers of the test daemons, which depend on the location and name of a file.
enum Answers {
  static func configuration(_ session: DropSession) -> DropConfiguration {
    let item = session.item
    say("asked \(session.location) \(item?.type?.identifier ?? "?") \(item?.waiting?.description ?? "complete")")
    switch session.location.components.first {
    case "locked": return .forbidden("the column is locked")
    case "copied": return .copy
    case "sorted": return DropConfiguration(operation: .move, destination: "by/month")
    case "escaping": return DropConfiguration(operation: .move, destination: "../out")
    case "single": return DropConfiguration(operation: .move, acceptedItemCount: 1)
    default: return .move
    }
  }

  static func verdict(on file: DroppedFile, in session: DropSession) throws -> DropVerdict {
    say("asked \(file.location) attempt \(file.attempt)")
    switch file.location.lastComponent.stem {
    case "renamed": return .accepted(as: "other.txt", in: "below")
    case "copied": return .accepted(operation: .copy)
    case "refused": return .rejected("not this one")
    case "later": return file.attempt == 1 ? .notYet("in a moment", retryAfter: .milliseconds(200)) : .accepted
    case "thrown": throw DropVerdict.rejected("thrown away")
    case "failing": throw Failure()
    default: return .accepted
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description = "out of paper"
  }
}

/// A card, which has its own type with its own extension.
struct Card: Codable, Transferable {
  let title: String

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .card)
  }
}

extension ContentType {
  static let card = ContentType(
    exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card"])
}

struct Note: Codable, Transferable {
  let text: String

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
  }
}
