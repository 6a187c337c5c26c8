internal import CLinux
internal import DropEngine
internal import Glibc

/// This process and the machine's boot, as they are told apart from others.
package enum Machine {
  package static var processID: Int32 { getpid() }

  /// Processors that this machine has now.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Changes with every boot; empty where the kernel does not say.
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

  /// How many descriptors this process may have now.
  package static var fileLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// As many descriptors as this process may ever have.
  package static func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
  }

  /// Lets no more threads allocate side by side than there are processors, before any thread has started.
  ///
  /// mallopt(3): glibc would keep a heap for every thread, eight a processor, and what one thread has freed is not for
  /// others. Payloads go from thread to thread.
  package static func shareHeaps() {
    _ = mallopt(M_ARENA_MAX, Int32(clamping: max(2, processors)))
  }

  /// Makes a directory and those above it, for this user alone.
  package static func makePrivateDirectory(_ path: String) throws(FileError) {
    var reached: RawPath = "/"
    for part in RawPath(path).components {
      reached = reached.appending(part)
      do throws(FileError) {
        try Directory.working.makeDirectory(reached, mode: 0o700)
      } catch  where error.errno == .exists {
      } catch  where error.errno == .readOnly || error.errno == .access {
        // A directory above may exist where we may not make one.
        _ = try Directory(reached)
      }
    }
  }
}
