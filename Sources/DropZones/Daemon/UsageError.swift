/// An error in a command line, described in one line.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ problem: String, nearest: String? = nil) {
    description = problem + (nearest.map { "; did you mean '\($0)'?" } ?? "; see --help")
  }
}
