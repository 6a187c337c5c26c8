import DropEngine
import Glibc
import Support
import Testing

@testable import DropSystem

@Suite struct DefaultPlacesTests {
  private func places(_ variables: [String: String], user: UInt32 = 1000, home: String? = nil) -> DefaultPlaces? {
    DefaultPlaces(for: ProcessContext(variables: variables, user: user, processID: 42, home: home))
  }

  @Test func `root has the system's paths, whatever its session says`() throws {
    let found = try #require(
      places(["XDG_CONFIG_HOME": "/x", "HOME": "/root", "XDG_RUNTIME_DIR": "/run/user/0"], user: 0))
    #expect(
      [found.config, found.state, found.socket] == ["/etc/dropzone", "/var/lib/dropzone", "/run/dropzone/control"])
    #expect(found.privateDirectory == nil)
  }

  @Test func `a system service has the system's paths`() throws {
    let found = try #require(places(["SYSTEMD_EXEC_PID": "42"]))
    #expect(
      [found.config, found.state, found.socket] == ["/etc/dropzone", "/var/lib/dropzone", "/run/dropzone/control"])
  }

  @Test(arguments: [["SYSTEMD_EXEC_PID": "42", "MANAGERPID": "7"], ["SYSTEMD_EXEC_PID": "41"], [:]])
  func `a user's service, and programs that a service started, have the user's paths`(variables: [String: String]) {
    #expect(places(variables, home: "/home/u")?.config == "/home/u/.config/dropzone")
  }

  @Test(arguments: [0, 1000] as [UInt32])
  func `directories that systemd created for the unit take precedence`(user: UInt32) throws {
    let made = [
      "CONFIGURATION_DIRECTORY": "/etc/z:/etc/y", "STATE_DIRECTORY": "/var/lib/z", "RUNTIME_DIRECTORY": "/run/z",
    ]
    let found = try #require(places(made, user: user))
    #expect([found.config, found.state, found.socket] == ["/etc/z", "/var/lib/z", "/run/z/control"])
  }

  @Test func `a user has the XDG directories`() throws {
    let found = try #require(
      places(["XDG_CONFIG_HOME": "/c/", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/1000", "HOME": "/h"]))
    #expect(
      [found.config, found.state, found.socket] == ["/c/dropzone", "/s/dropzone", "/run/user/1000/dropzone/control"])
    #expect(found.privateDirectory == nil)
  }

  @Test func `missing or relative variables fall back to the home directory and the temporary directory`() throws {
    let found = try #require(places(["XDG_CONFIG_HOME": "c", "XDG_RUNTIME_DIR": "", "HOME": "/h/", "TMPDIR": "/t/"]))
    #expect([found.config, found.state] == ["/h/.config/dropzone", "/h/.local/state/dropzone"])
    #expect(found.privateDirectory == "/t/dropzone-1000")
    #expect(found.socket == "/t/dropzone-1000/control")
    #expect(places(["HOME": "h"]) == nil)
    #expect(places([:], home: "/h")?.socket == "/tmp/dropzone-1000/control")
  }

  @Test func `a private directory is created once, and is accessible only to us`() throws {
    let scratch = try ScratchDirectory()
    let path = RawPath(scratch.appending("private"))
    try PrivateDirectory.prepare(path)
    try PrivateDirectory.prepare(path)
    try #require(unsafe chmod(scratch.appending("private"), 0o750) == 0)
    #expect(throws: PrivateDirectoryError.open(path)) { try PrivateDirectory.prepare(path) }
  }

  @Test func `a link or a file in place of the private directory is refused`() throws {
    let scratch = try ScratchDirectory()
    let other = try scratch.directory("other")
    try #require(unsafe symlink(other, scratch.appending("link")) == 0)
    try scratch.file("file", [])
    for name in ["link", "file"] {
      let path = RawPath(scratch.appending(name))
      #expect(throws: PrivateDirectoryError.noDirectory(path)) { try PrivateDirectory.prepare(path) }
    }
    let deep = RawPath(scratch.appending("no/where"))
    #expect(throws: PrivateDirectoryError.failed(FileError(.noEntry, .makeDirectory, deep))) {
      try PrivateDirectory.prepare(deep)
    }
  }

  @Test func `another user's directory is refused`() throws {
    let scratch = try ScratchDirectory()
    let path = try scratch.directory("theirs")
    // Only root can give a directory away.
    guard unsafe chown(path, 4242, 4242) == 0, unsafe chmod(path, 0o700) == 0 else { return }
    #expect(throws: PrivateDirectoryError.notOurs(RawPath(path), user: 4242)) {
      try PrivateDirectory.prepare(RawPath(path))
    }
  }
}
