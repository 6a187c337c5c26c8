import DropEngine
import Support

/// The properties of this machine that the figures depend on.
struct MachineFacts: Codable, Sendable {
  var processor: String
  var cores: Int
  var kernel: String
  var fileSystem: String
  /// The load average of the minute before the first measurement, which shows what else the machine was doing.
  var load: String

  static func here(_ scratch: Scratch) async -> MachineFacts {
    func line(_ words: [String]) async -> String {
      guard let answer = try? await Command.run(words, in: scratch) else { return "unknown" }
      return String(decoding: answer.output.split(separator: UInt8(ascii: "\n")).first ?? [], as: UTF8.self)
    }
    let model = RawPath("/proc/cpuinfo").virtualLines.first { $0.hasPrefix("model name") }
    return MachineFacts(
      processor: model.flatMap { $0.split(separator: ":").last.map { String($0.dropFirst()) } } ?? "unknown processor",
      cores: Int(await line(["/usr/bin/nproc"])) ?? 0, kernel: await line(["/usr/bin/uname", "-r"]),
      fileSystem: await line(["/usr/bin/stat", "-f", "-c", "%T", scratch.string]),
      load: RawPath("/proc/loadavg").virtualLines.first.map { String($0.prefix { $0 != " " }) } ?? "unknown")
  }
}

extension RawPath {
  /// The lines of a file in /proc, whose length is unknown until it is read.
  var virtualLines: [String] { lines() }
}
