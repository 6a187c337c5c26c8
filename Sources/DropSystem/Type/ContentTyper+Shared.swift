extension ContentTyper {
  /// One for who types a file now and then; made when it is first asked for.
  package static let shared = Result { () throws(ContentTyperError) in try ContentTyper() }
}
