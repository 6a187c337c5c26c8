import DropEngine
import DropSystem
import Glibc
import Testing

/// Tests in which a datagram socket acts as the service manager. They are exit tests because they change the environment.
@Suite struct ServiceManagerTests {
  @Test func `every message arrives in the format of sd_notify`() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let manager = try UnixSocket(SOCK_DGRAM, at: scratch("notify"))
      unsafe setenv("NOTIFY_SOCKET", scratch("notify"), 1)
      ServiceManager.ready(status: "2 zones")
      #expect(manager.receive() == "READY=1\nSTATUS=2 zones")
      ServiceManager.status("name\nSTOPPING=1")
      #expect(manager.receive() == #"STATUS=name\u{A}STOPPING=1"#)
      ServiceManager.reloading()
      let reload = manager.receive().split(separator: "\n")
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      #expect(reload.first == "RELOADING=1")
      let microseconds = Int(try #require(reload.last).dropFirst("MONOTONIC_USEC=".count))
      #expect(try #require(microseconds) / 1_000_000 <= now.tv_sec)
      ServiceManager.watchdog()
      #expect(manager.receive() == "WATCHDOG=1")
      ServiceManager.extendTimeout(by: .milliseconds(2500))
      #expect(manager.receive() == "EXTEND_TIMEOUT_USEC=2500000")
      ServiceManager.stopping()
      #expect(manager.receive() == "STOPPING=1\nSTATUS=Stopping")
    }
  }

  @Test func `without a service manager, nothing is sent`() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("NOTIFY_SOCKET")
      unsafe unsetenv("WATCHDOG_USEC")
      ServiceManager.ready(status: "")
      #expect(ServiceManager.watchdogInterval == nil)
    }
  }

  @Test func `the watchdog is notified at twice the required rate`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("WATCHDOG_USEC", "3000000", 1)
      unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
      #expect(ServiceManager.watchdogInterval == .milliseconds(1500))
      unsafe setenv("WATCHDOG_PID", "1", 1)
      #expect(ServiceManager.watchdogInterval == nil)
    }
  }
}

/// A Unix socket that listens or receives datagrams.
struct UnixSocket: ~Copyable {
  let number: Int32

  init(_ type: __socket_type, at path: String) throws {
    number = socket(AF_UNIX, Int32(type.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, type == SOCK_DGRAM || listen(number, 8) == 0 else { throw Errno.last }
  }

  deinit {
    close(number)
  }

  /// Returns the next datagram.
  func receive() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(number, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
}
