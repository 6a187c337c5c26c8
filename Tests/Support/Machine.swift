internal import DropEngine
internal import DropSystem
internal import Glibc

/// What the machine that runs the tests can do.
package enum Machine {
  package static let isRoot = geteuid() == 0

  /// Whether we are root, and may mount file systems.
  package static let canMount: Bool = {
    guard isRoot else { return false }
    return RawPath("/proc/self/status").lines().contains { line in
      guard line.hasPrefix("CapEff:"), let word = line.split(separator: "\t").last, let set = UInt64(word, radix: 16)
      else { return false }
      return set & (1 << 21) != 0
    }
  }()

  /// Whether the kernel knows the file system, and its mkfs program is installed.
  package static func canMake(_ fileSystem: String) -> Bool {
    let known = RawPath("/proc/filesystems").lines().contains { $0.split(separator: "\t").last == fileSystem[...] }
    return canMount && known && RawPath("/usr/sbin/mkfs.\(fileSystem)").exists
  }

  /// The thread ids of a process.
  package static func threads(of process: Int32) -> [Int] {
    let names = (try? Directory("/proc/\(process)/task").names()) ?? []
    return names.compactMap { Int($0.description) }
  }

  package static func has(program: String) -> Bool {
    ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains { RawPath("\($0)/\(program)").exists }
  }
}

/// The environment of the test run.
package enum Environment {
  package static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
