import DropEngine
import Support

extension Compiler {
  /// Compiles a file to a program, and links the library into it.
  static func build(_ file: RawPath, as program: RawPath) async throws {
    var words = try await ["swiftc", "-parse-as-library", "-o", program.description] + surroundings()
    for module in ["DropEngine", "DropSystem", "DropFlow", "DropControl", "DropZones"] {
      // The list of sources tells which objects are current: those of renamed files stay in the directory.
      let directory = RawPath(Executables.directory + "/\(module).build")
      let objects = try directory.appending("sources").contents().split(separator: UInt8(ascii: "\n")).map { source in
        directory.appending(RawPath("\(RawPath(bytes: Array(source)).lastComponent).o"))
      }
      words += objects.map(\.description)
    }
    let end = try await Program.run("/usr/bin/env", words.map { RawPath($0) } + [file])
    guard end.status == 0 else { throw Command.Failure(description: end.errors) }
  }
}
