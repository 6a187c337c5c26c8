internal import DropEngine
internal import Glibc

/// The programs under test, in the directory of the test bundle, or in DZ_BIN.
package enum Executables {
  package static let directory: String = {
    if let named = Environment["DZ_BIN"] { return named }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    let beside = RawPath(bytes: bytes).parent
    if beside.appending("dropzoned").exists { return beside.description }
    return ".build/debug"
  }()

  package static var daemon: String { directory + "/dropzoned" }
  package static var client: String { directory + "/dropzone" }
}
