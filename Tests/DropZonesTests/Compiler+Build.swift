import DropEngine
import Support

extension Compiler {
  /// Makes a program of a file, with the library linked into it.
  static func build(_ file: RawPath, as program: RawPath) async throws {
    var words = try await ["swiftc", "-parse-as-library", "-o", program.description] + surroundings()
    for module in ["DropEngine", "DropSystem", "DropFlow", "DropControl", "DropZones"] {
      let directory = Executables.directory + "/\(module).build"
      words += try ScratchDirectory.names(in: directory).filter { $0.hasSuffix(".o") }.map { directory + "/" + $0 }
    }
    let end = try await Program.run("/usr/bin/env", words.map { RawPath($0) } + [file])
    guard end.status == 0 else { throw Command.Failure(description: end.errors) }
  }
}
