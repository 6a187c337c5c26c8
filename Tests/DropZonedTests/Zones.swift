import DropEngine
import DropSystem
import Glibc
import Support

@testable import dropzoned

/// Zone files for one test, and what the daemon reads from them.
struct Zones {
  let scratch: ScratchDirectory

  init(_ files: [String: String] = [:]) throws {
    scratch = try ScratchDirectory()
    try makeDirectory("zones")
    for (name, text) in files { try write(Array(text.utf8), to: "zones/" + name) }
  }

  /// One zone `a` with its two required keys, followed by `text`.
  static func one(_ text: String) throws -> Zones {
    try Zones(["a.zone": "[Zone]\nPath=/srv/drop\nBox=/srv/box\n" + text])
  }

  /// The configuration directory.
  var path: String { scratch.path }

  /// Creates a directory in the configuration directory, and its parents.
  func makeDirectory(_ name: String) throws {
    var made = path
    for part in name.split(separator: "/") {
      made += "/" + part
      guard unsafe mkdir(made, 0o755) == 0 || Errno.last == .exists else { throw Errno.last }
    }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try scratch.file(name, bytes)
  }

  func link(_ name: String, to target: String) throws {
    guard unsafe symlink(target, scratch.appending(name)) == 0 else { throw Errno.last }
  }

  func load() throws(ConfigurationErrors) -> ZoneConfiguration {
    try ZoneFiles.load(
      from: path,
      ConfigurationContext(
        typeProblem: { $0 == "image/jpg" ? "'image/jpg' is not a type; write 'image/jpeg'" : nil },
        isUser: { $0 == "alice" }, isGroup: { $0 == "scans" }, searchPath: path + "/bin:/nowhere"))
  }

  /// The errors, without the path of the directory.
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
    let prefix = path + "/zones/"
    let text = error.description
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
