package import DropEngine
internal import CLinux
internal import Glibc

extension Executables {
  /// The program `name` in the directory of this process's program; nil if there is none.
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

  /// The paths of our programs are valid UTF-8, so other paths are skipped.
  private static func runnable(_ path: RawPath) -> RawPath? {
    path.string.flatMap { isExecutable($0) ? path : nil }
  }

  /// Replaces this process with `program`; see execv(3). Returns only if this fails, with the reason.
  package static func replaceProcess(with program: RawPath, _ arguments: [RawPath]) -> Errno {
    var words = unsafe ([program] + arguments).map { word in unsafe word.withCString { unsafe strdup($0) } }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    _ = unsafe program.withCString { unsafe execv($0, words) }
    return .last
  }
}
