import DropEngine

@testable import dropzoned

/// Zone files of a test's own, and what the daemon makes of them.
struct Zones {
  let scratch: Scratch

  init(_ files: [String: String] = [:]) throws {
    scratch = try Scratch()
    try scratch.directory("zones")
    for (name, text) in files { try scratch.write(text, to: "zones/" + name) }
  }

  /// One zone `a` with its two places and `text` behind them.
  static func one(_ text: String) throws -> Zones {
    try Zones(["a.zone": "[Zone]\nPath=/srv/drop\nBox=/srv/box\n" + text])
  }

  func load() throws(ConfigurationErrors) -> ZoneConfiguration {
    try ZoneFiles.load(
      from: scratch.path,
      ConfigurationOutside(
        typeProblem: { $0 == "image/jpg" ? "is no type; write 'image/jpeg'" : nil },
        isUser: { $0 == "alice" }, isGroup: { $0 == "scans" }, searchPath: scratch.path + "/bin:/nowhere"))
  }

  /// What is wrong, with the directory of zone files left out.
  func errors() -> [String] {
    do throws(ConfigurationErrors) {
      _ = try load()
      return []
    } catch {
      return error.errors.map(shown)
    }
  }

  func warnings() throws -> [String] {
    try load().warnings.map(shown)
  }

  private func shown(_ error: ConfigurationError) -> String {
    let prefix = scratch.path + "/zones/"
    let text = error.description
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
