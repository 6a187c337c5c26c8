package import DropEngine
internal import CLinux
internal import Glibc

/// The arguments and environment variables of this process.
package enum ProcessArguments {
  /// The arguments after the program's name, byte for byte. `CommandLine.arguments` repairs invalid UTF-8.
  package static var all: [RawPath] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { argument in
        RawPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
      }
    }
  }

  /// The value of an environment variable; nil if it is unset or empty.
  package static func variable(_ name: String) -> RawPath? {
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    return bytes.isEmpty ? nil : RawPath(bytes: bytes)
  }
}

/// Ends the process, without releasing anything first.
package func endProcess(with status: Int32) -> Never {
  exit(status)
}

/// Ends the process at once, without what exit(3) does: that may wait for a file system.
package func endProcessNow(with status: Int32) -> Never {
  _exit(status)
}
