import DropEngine
import DropSystem
import Glibc

/// A directory for one test, which is removed with everything in it when the test is over.
final class Scratch: Sendable {
  let path: String

  init(below parent: String = Scratch.root) throws {
    var template = Array("\(parent)/dropzone-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno.last }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    _ = run(["rm", "-rf", "--one-file-system", path])
  }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and returns its path.
  @discardableResult
  func file(_ name: String, _ bytes: [UInt8] = [], mode: UInt32 = 0o644) throws -> String {
    let file = try FileDescriptor.open(RawPath(self(name)), [.writeOnly, .create, .truncate], mode: mode)
    try file.write(bytes)
    guard fchmod(file.number, mode) == 0 else { throw Errno.last }
    return self(name)
  }

  private static var root: String {
    unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
  }
}

/// Runs a system tool until it ends.
@discardableResult
func run(_ command: [String]) -> (status: HandlerEnd.Way, output: String, errors: String) {
  let end = HandlerProcess.run(
    command: command, environment: [], input: [], timeout: .seconds(60), cancellation: Cancellation())
  return (
    end.way, String(decoding: end.output.head, as: UTF8.self), String(decoding: end.errors.head, as: UTF8.self)
  )
}
