import DropEngine
import Support
import Testing

/// Compares the public interface with the one in the repository.
///
/// A change of the public interface must be made both in the code and in `Interface/`, so that it cannot happen by accident.
/// To update the files:
///
///     DROPZONE_RENEW_INTERFACE=1 swift test --filter DropZonesTests.InterfaceTests
@Suite(.timeLimit(.minutes(2))) struct InterfaceTests {
  @Test(arguments: ["DropZones", "DropZonesFoundation"])
  func `the public interface is the same as in the repository`(module: String) async throws {
    let file = Compiler.repository.appending(RawPath("Tests/DropZonesTests/Interface/\(module).swiftinterface"))
    let printed = try await Compiler.interface(of: module)
    if Environment["DROPZONE_RENEW_INTERFACE"] != nil {
      try file.write(printed.joined(separator: "\n") + "\n")
    }
    let kept = file.lines().filter { !$0.isEmpty }
    let changes = printed.difference(from: kept).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(
      changes.isEmpty,
      """
      The public interface of \(module) changed. Where that is meant, renew the file:
        DROPZONE_RENEW_INTERFACE=1 swift test --filter DropZonesTests.InterfaceTests
      \(changes.joined(separator: "\n"))
      """)
  }
}
