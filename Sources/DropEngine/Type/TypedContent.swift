/// The type of a payload.
package struct TypedContent: Hashable, Sendable {
  /// The proved or narrowed media type, by its canonical name in the shared MIME database.
  package var type: String
  /// The type that the name claims; nil if it claims none.
  package var claimedType: String?
  package var grade: Grade

  package init(type: String, claimedType: String?, grade: Grade) {
    self.type = type
    self.claimedType = claimedType
    self.grade = grade
  }
}

extension String {
  package static let octetStream = "application/octet-stream"
  package static let plainText = "text/plain"
  package static let directory = "inode/directory"
  /// The type of an empty file.
  package static let emptyFile = "application/x-zerosize"
}
