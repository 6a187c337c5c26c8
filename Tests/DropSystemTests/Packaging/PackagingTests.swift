import DropEngine
import DropSystem
import Glibc
import Testing

/// Checks the files under `systemd/` with the programs that read them.
@Suite struct PackagingTests {
  static let directory = {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/systemd"
  }()

  static func has(_ tool: String) -> Bool { run(["sh", "-c", "command -v \(tool)"]).status == .exited(0) }

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  func read(_ path: String) throws -> String {
    let file = try FileDescriptor.open(RawPath(path), .readOnly)
    return String(decoding: try file.read(at: 0, count: 1 << 20), as: UTF8.self)
  }

  /// Copies the units so that they can be checked without an installed daemon.
  func units(_ kind: String) throws -> [String] {
    try run(["ls", "\(Self.directory)/\(kind)"]).output.split(separator: "\n").map { name in
      let text = try read("\(Self.directory)/\(kind)/\(name)").replacing("/usr/bin/dropzoned", with: "/bin/true")
      return try scratch.file(String(name), Array(text.utf8))
    }
  }

  @Test(.enabled(if: has("systemd-analyze"), "systemd-analyze is not installed"), arguments: ["system", "user"])
  func `systemd has no complaints about the units`(kind: String) throws {
    let analyze = ["env", "XDG_RUNTIME_DIR=\(scratch.path)", "systemd-analyze", "verify", "--man=no", "--\(kind)"]
    let answer = run(analyze + (try units(kind)))
    #expect(answer.status == .exited(0))
    #expect(answer.output == "")
    #expect(answer.errors == "")
  }

  @Test(.enabled(if: has("systemd-analyze"), "systemd-analyze is not installed"))
  func `the service is confined as far as possible`() throws {
    let unit = try #require(try units("system").first { $0.hasSuffix(".service") })
    let answer = run(["systemd-analyze", "security", "--offline=yes", "--threshold=30", "--no-pager", unit])
    #expect(answer.status == .exited(0), "\(answer.output)")
  }

  @Test func `nothing in the unit turns a rename into a copy or prevents leases`() throws {
    let lines = try read("\(Self.directory)/system/dropzoned.service").split(separator: "\n")
    let keys = Set(lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: "=").first.map(String.init) })
    let harmful: Set<String> = [
      "ReadWritePaths", "BindPaths", "PrivateTmp", "ProtectHome", "PrivateUsers", "RestrictSUIDSGID", "RootDirectory",
      "TemporaryFileSystem", "DynamicUser", "MemoryDenyWriteExecute",
    ]
    #expect(keys.isDisjoint(with: harmful))
    for call in ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"] {
      #expect(lines.contains { $0.hasPrefix("SystemCallFilter=") && $0.contains(call) })
    }
  }

  @Test(
    .enabled(if: has("mandoc"), "mandoc is not installed"), arguments: ["dropzone.1", "dropzone.zone.5", "dropzoned.8"])
  func `mandoc has no complaints about the manual pages`(page: String) {
    let answer = run(["mandoc", "-Tlint", "-W", "warning", "\(Self.directory)/man/\(page)"])
    #expect(answer.output + answer.errors == "")
  }

  @Test(
    .enabled(if: has("groff"), "groff is not installed"), arguments: ["dropzone.1", "dropzone.zone.5", "dropzoned.8"])
  func `groff has no complaints about the manual pages`(page: String) {
    #expect(run(["groff", "-mandoc", "-ww", "-Kutf8", "-Tutf8", "-z", "\(Self.directory)/man/\(page)"]).errors == "")
  }

  /// Derives the keys from the names of the settings.
  @Test func `the manual page of zone files has every setting`() throws {
    let page = try read("\(Self.directory)/man/dropzone.zone.5")
    let zone = ZoneSettings(name: "a", path: "/a", box: "/b")
    let groups: [Any] = [zone, zone.accept, zone.staging, zone.handler, zone.delivery]
    // The settings whose names differ from their keys, and the groups themselves.
    let spelling = [
      "grades": "Grade", "command": "OnDrop", "name": "", "accept": "", "staging": "", "handler": "", "delivery": "",
    ]
    for setting in groups.flatMap({ Mirror(reflecting: $0).children.compactMap(\.label) }) {
      let key = spelling[setting] ?? setting.prefix(1).uppercased() + setting.dropFirst()
      if !key.isEmpty { #expect(page.contains("Cm \(key) Ns ="), "\(key)") }
    }
  }

  @Test(.enabled(if: has("bash"), "bash is not installed"))
  func `completion offers commands and their options`() {
    func complete(_ words: String...) -> [String] {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        . \(Self.directory)/bash-completion/dropzone
        COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _\(words[0]); printf '%s\\n' "${COMPREPLY[@]}"
        """
      let answer = run(["bash", "-c", script])
      #expect(answer.errors == "")
      return answer.output.split(separator: "\n").map(String.init)
    }
    #expect(complete("dropzone", "re") == ["rejects", "retry", "release", "resume", "reload"])
    #expect(complete("dropzone", "--socket", "/run/x", "sta") == ["status"])
    #expect(complete("dropzone", "status", "--") == ["--help", "--watch", "--json"])
    #expect(complete("dropzone", "history", "--f") == ["--follow"])
    #expect(complete("dropzoned", "--c") == ["--config", "--check"])
  }

  @Test func `the catalogue explains only existing kinds of messages`() throws {
    let text = try read("\(Self.directory)/catalog/dropzone.catalog")
    let ids = text.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
    #expect(Set(ids).count == ids.count && !ids.isEmpty)
    #expect(Set(ids).isSubset(of: LogKind.allCases.map(\.rawValue)))
  }

  @Test(.enabled(if: has("systemd-tmpfiles") && geteuid() == 0, "needs root and systemd-tmpfiles"))
  func `systemd creates the user, the groups and the lock directory`() {
    let root = scratch("root")
    run(["mkdir", "-p", root + "/etc"])
    let users = run(["systemd-sysusers", "--root=\(root)", "\(Self.directory)/sysusers.d/dropzone.conf"])
    #expect(users.status == .exited(0))
    #expect(run(["grep", "-c", "^dropzone", root + "/etc/group"]).output == "2\n")
    let files = run(["systemd-tmpfiles", "--root=\(root)", "--create", "\(Self.directory)/tmpfiles.d/dropzone.conf"])
    #expect(files.status == .exited(0))
    #expect(run(["stat", "-c", "%a", root + "/run/lock/dropzone"]).output == "1777\n")
  }
}
