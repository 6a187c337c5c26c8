package import DropEngine
internal import CLinux
internal import Glibc

/// What this process was started with.
package enum ProcessArguments {
  /// The arguments after the program's own name, byte for byte: `CommandLine.arguments` mends what is no text.
  package static var all: [RawPath] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { argument in
        RawPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
      }
    }
  }

  /// An environment variable; nil when it is not set or empty.
  package static func variable(_ name: String) -> RawPath? {
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    return bytes.isEmpty ? nil : RawPath(bytes: bytes)
  }
}

/// Ends the process; nothing that is open is let go first.
package func endProcess(with status: Int32) -> Never {
  exit(status)
}
