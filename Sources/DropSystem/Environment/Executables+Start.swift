package import DropEngine
internal import CLinux
internal import Glibc

extension Executables {
  /// The program `name` in the directory of this process's own; nil when there is none.
  package static func beside(_ name: RawPath) -> RawPath? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { return nil }
    let own = RawPath(bytes: buffer.prefix(length).map { UInt8(bitPattern: $0) })
    return runnable(own.parent.appending(name))
  }

  /// The first program `name` in the PATH.
  package static func inPath(_ name: RawPath) -> RawPath? {
    let path = ProcessArguments.variable("PATH")?.bytes ?? []
    return path.split(separator: UInt8(ascii: ":")).lazy.compactMap {
      runnable(RawPath(bytes: Array($0)).appending(name))
    }.first
  }

  /// Paths of programs of ours are text; one that is not is passed over.
  private static func runnable(_ path: RawPath) -> RawPath? {
    path.string.flatMap { isExecutable($0) ? path : nil }
  }

  /// Runs `program` in this process's place; returns only the reason why that is not possible. execv(3).
  package static func become(_ program: RawPath, _ arguments: [RawPath]) -> Errno {
    var words = unsafe ([program] + arguments).map { word in unsafe word.withCString { unsafe strdup($0) } }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    _ = unsafe program.withCString { unsafe execv($0, words) }
    return .last
  }
}
