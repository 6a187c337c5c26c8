/// Applies colour and weight to text on a terminal; leaves text unchanged if colour is off.
struct Style {
  let isColoured: Bool

  static let plain = Style(isColoured: false)

  enum Appearance {
    case faint, strong
    case good, bad, careful
    /// The colour that a zone file names.
    case tint(String)
  }

  func callAsFunction(_ appearance: Appearance, _ text: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code(of: appearance))m\(text)\u{1B}[0m" : text
  }

  private func code(of appearance: Appearance) -> String {
    switch appearance {
    case .faint: "2"
    case .strong: "1"
    case .good: "32"
    case .bad: "31"
    case .careful: "33"
    case .tint(let name): Self.tints[name.lowercased()] ?? "34"
    }
  }

  private static let tints = [
    "red": "31", "green": "32", "yellow": "33", "orange": "38;5;208", "blue": "34", "purple": "35", "indigo": "38;5;62",
    "pink": "38;5;205", "teal": "36", "cyan": "36", "mint": "38;5;79", "brown": "38;5;137", "gray": "90", "grey": "90",
    "black": "39", "white": "39", "primary": "39", "secondary": "90", "accentcolor": "34",
  ]
}
