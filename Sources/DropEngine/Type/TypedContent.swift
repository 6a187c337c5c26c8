/// What a payload was found to be.
package struct TypedContent: Hashable, Sendable {
  /// The media type that is proved, or narrowed to, by its main name in the shared MIME database.
  package var type: String
  /// What the name says; nil where it says nothing.
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
  /// What a file without content is.
  package static let emptyFile = "application/x-zerosize"
}
