extension ContentTyper {
  /// A shared typer for occasional use, which is created at the first access.
  package static let shared = Result { () throws(ContentTyperError) in try ContentTyper() }
}
