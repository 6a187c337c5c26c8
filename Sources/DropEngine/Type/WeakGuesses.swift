/// Text types that content rules only guess, and text types that need no rule.
enum WeakGuesses {
  /// Whether the answer `type` of a rule for text is only a guess.
  ///
  /// The rules for programming languages and simple markup look for a word with which any text may begin. Such an answer is
  /// replaced by plain text, which the name may then narrow.
  static func contains(_ type: String) -> Bool {
    guesses.contains(type) || (type.hasPrefix("text/x-") && type.hasSuffix("src"))
  }

  /// Whether programs in the language `type` begin with the name of their interpreter.
  static func isScript(_ type: String) -> Bool {
    guesses.contains(type) && !type.hasSuffix("src")
  }

  private static let guesses: Set<String> = [
    "application/ecmascript", "application/javascript", "application/mbox", "application/sparql-query",
    "application/vnd.coffeescript", "application/x-asp", "application/x-awk", "application/x-csh",
    "application/x-gdscript", "application/x-gnuplot", "application/x-m4", "application/x-perl",
    "application/x-php", "application/x-ruby", "application/x-shellscript", "application/x-subrip",
    "application/x-troff-man",
    "application/sql", "text/css", "text/html", "text/javascript", "text/markdown", "text/rust", "text/spreadsheet",
    "text/troff", "text/turtle", "text/vnd.graphviz", "text/x-bibtex", "text/x-c", "text/x-cmake",
    "text/x-common-lisp", "text/x-emacs-lisp", "text/x-genie", "text/x-gcode-gx", "text/x-iptables", "text/x-java",
    "text/x-literate-haskell", "text/x-lua", "text/x-makefile", "text/x-matlab", "text/x-microdvd", "text/x-modelica",
    "text/x-mpl2", "text/x-mup", "text/x-objcsrc", "text/x-patch", "text/x-python", "text/x-python3", "text/x-qml",
    "text/x-rpm-spec", "text/x-sagemath", "text/x-scala", "text/x-scheme", "text/x-scons", "text/x-tex",
    "text/x-troff-me", "text/x-troff-mm", "text/x-troff-ms", "text/x-txt2tags", "text/x-vala", "text/x-xmi",
  ]

  /// Text types with a fixed first line. Without it, the name alone does not make a file such a type.
  static let signed: Set<String> = ["text/calendar", "text/vcard", "text/vtt", "text/rtf", "application/rtf"]

  /// Types that describe the purpose of a text, and not its format, so the content may have any format.
  static let purposes: Set<String> = [
    "text/x-authors", "text/x-changelog", "text/x-copying", "text/x-credits", "text/x-install", "text/x-log",
    "text/x-nfo", "text/x-readme",
  ]

  /// Claims that are true for another type, although the database does not relate the two.
  static let covers: [String: Set<String>] = [
    "application/json": ["application/x-ndjson"],
    "application/x-yaml": ["application/json"],
    "application/x-php": ["text/html"],
    "application/x-asp": ["text/html"],
  ]
}
