import DropEngine
import Support
import Testing

/// Checks that the compiler reports a mistake in using the library with one error, in the line of the mistake.
@Suite(.timeLimit(.minutes(3))) struct MisuseTests {
  private static let directory = Compiler.repository.appending("Tests/DropZonesTests")

  private static func files(_ name: RawPath) -> [String] {
    (try? ScratchDirectory.names(in: directory.appending(name).description)) ?? []
  }

  @Test(arguments: files("Misuse"))
  func `a mistake causes one error in its line`(file: String) async throws {
    let path = Self.directory.appending("Misuse").appending(RawPath(file))
    let heading = "// error: "
    let said = path.lines().first { $0.hasPrefix(heading) }
    let expected = try #require(said).dropFirst(heading.count)
    let complaints = try await Compiler.complaints(about: path)
    #expect(complaints.first?.message.contains(expected) == true, "\(complaints)")
    // A missing `Codable` is reported once for reading and once for writing.
    #expect(Set(complaints.map(\.line)).count == 1, "\(complaints)")
    #expect(complaints.count == 1 || expected.hasSuffix("'Decodable'"), "\(complaints)")
  }

  @Test(arguments: files("RightUse").map { "RightUse/" + $0 } + ["Transfer/Card.swift"])
  func `correct code compiles without any message`(file: String) async throws {
    #expect(try await Compiler.complaints(about: Self.directory.appending(RawPath(file))).isEmpty)
  }

  @Test func `there are enough examples`() {
    #expect(Self.files("Misuse").count > 10 && Self.files("RightUse").count > 1)
  }
}
