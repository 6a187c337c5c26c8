import DropEngine
import Support
import Testing

/// Runs the compiler as a user of the library would.
enum Compiler {
  static let repository = RawPath(String(#filePath.dropLast("/Tests/DropZonesTests/Compiler.swift".count)))

  /// Limits the number of compilers, because each needs a core.
  private static let slots = Slots(2)

  struct Complaint: Hashable, CustomStringConvertible {
    let line: String
    let message: String
    var description: String { "\(line): \(message)" }
  }

  /// Returns the compiler's errors and warnings for a program, in order.
  static func complaints(about file: RawPath) async throws -> [Complaint] {
    let arguments = try await ["swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library"] + surroundings()
    let end = try await slots.run {
      try await Program.run("/usr/bin/env", arguments.map { RawPath($0) } + [file])
    }
    let complaints = end.errors.split(separator: "\n").compactMap { complaint(String($0), file) }
    #expect((end.status == 0) == complaints.isEmpty, "\(end.errors)")
    return complaints
  }

  /// The arguments for finding the built modules and the modules that they depend on.
  static func surroundings() async throws -> [String] {
    let sources = repository.appending("Sources").description
    let maps = try ScratchDirectory.names(in: sources).filter { $0.hasPrefix("C") }
      .flatMap { ["-Xcc", "-fmodule-map-file=\(sources)/\($0)/module.modulemap"] }
    let flags = try await Program.run("/usr/bin/env", ["pkg-config", "--cflags", "glib-2.0"]).output
    return ["-swift-version", "6", "-I", Executables.directory + "/Modules"] + maps
      + ["-module-cache-path", Executables.directory + "/ModuleCache"]
      + flags.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Parses a line such as `FILE:7:41: error: type 'ContentType' has no member 'jsn'`. Notes and excerpts are ignored.
  private static func complaint(_ text: String, _ file: RawPath) -> Complaint? {
    let start = file.description + ":"
    guard text.hasPrefix(start) || text.hasPrefix("<unknown>") else { return nil }
    for kind in [": error: ", ": warning: "] {
      guard let found = text.firstRange(of: kind) else { continue }
      let place = text[..<found.lowerBound].dropFirst(start.count)
      return Complaint(line: String(place.prefix { $0 != ":" }), message: String(text[found.upperBound...]))
    }
    return nil
  }
}
