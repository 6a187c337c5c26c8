internal import CLinux
internal import DropEngine
internal import Glibc

/// This process, the machine it runs on, and their limits.
package enum Machine {
  package static var processID: Int32 { getpid() }

  /// The number of processors that are online.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The ID of this boot; empty if the kernel does not provide one.
  package static var bootID: String {
    guard let file = try? FileDescriptor.open("/proc/sys/kernel/random/boot_id", [.readOnly]),
      let bytes = try? file.read(at: 0, count: 64)
    else { return "" }
    return String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)
  }

  package static var watchLimit: Int {
    guard let file = try? FileDescriptor.open("/proc/sys/fs/inotify/max_user_watches", [.readOnly]),
      let bytes = try? file.read(at: 0, count: 32)
    else { return 0 }
    return Int(String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)) ?? 0
  }

  /// How many descriptors this process can have now.
  package static var fileLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit on descriptors to the maximum that this process may set.
  package static func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
  }

  /// Limits the number of heaps to the number of processors; see mallopt(3). Call it before any thread starts.
  ///
  /// Otherwise, glibc creates up to eight heaps per processor, and a thread cannot use what was freed in another heap.
  /// Payloads pass from thread to thread.
  package static func shareHeaps() {
    _ = mallopt(M_ARENA_MAX, Int32(clamping: max(2, processors)))
  }

  /// Creates a directory and its missing parents, for this user only.
  package static func makePrivateDirectory(_ path: String) throws(FileError) {
    var reached: RawPath = "/"
    for part in RawPath(path).components {
      reached = reached.appending(part)
      do throws(FileError) {
        try Directory.working.makeDirectory(reached, mode: 0o700)
      } catch  where error.errno == .exists {
      } catch  where error.errno == .readOnly || error.errno == .access {
        // A parent may exist in a directory that we cannot write to.
        _ = try Directory(reached)
      }
    }
  }
}
