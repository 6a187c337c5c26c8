import DropEngine
import Support
import Synchronization

/// The results of a recipe, which are read at its end.
struct Outcome: Sendable {
  let scenario: String
  let work: RawPath
  /// Problems in the rig itself, such as a wait that timed out.
  let notes: [String]
  let status: StatusReport?
  /// All lines of the history.
  let history: [Receipt]
  /// The output of `status --watch`, with one log per daemon that was started.
  let logs: [TargetedLog]
  let runs: [HandlerRun]
  /// The exit codes of the daemons, in order; 128 and above are signals.
  let exits: [Int32]
  /// Times in milliseconds since 1970, by the names that the recipe chose.
  let marks: [String: Int64]
  let daemonLog: [String]
  private let printed = Printed()

  /// A run of the handler, as recorded by the handler.
  struct HandlerRun: Sendable {
    var id: String
    var attempt: Int
    var arguments: Int
    var path: RawPath
    var name: RawPath
  }

  init(scenario: String, work: RawPath) throws {
    self.scenario = scenario
    self.work = work
    notes = work.appending("notes").lines()
    status = try? JSONText.decode(StatusReport.self, work.appending("status.json").contents())
    history =
      (try? work.appending("history.jsonl").contents()).map { bytes in
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONText.decode(Receipt.self, Array($0)) }
      } ?? []
    exits = work.appending("exits").lines().compactMap { $0.split(separator: "\t").last.flatMap { Int32($0) } }
    logs = (1...max(1, exits.count)).map { number in
      let lines = work.appending(RawPath("changes.\(number).jsonl")).lines()
      return TargetedLog(lines.compactMap { try? JSONText.decode(ZoneChange.self, Array($0.utf8)) })
    }
    let fields = ((try? work.appending("runs").contents()) ?? [])
      .split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    runs = stride(from: 0, to: fields.count - 4, by: 5).map { first in
      func text(_ offset: Int) -> String { String(decoding: fields[first + offset], as: UTF8.self) }
      return HandlerRun(
        id: text(0), attempt: Int(text(1)) ?? -1, arguments: Int(text(2)) ?? -1,
        path: RawPath(bytes: fields[first + 3]),
        name: RawPath(bytes: fields[first + 4]))
    }
    marks = Dictionary(
      work.appending("marks").lines().compactMap { line in
        let parts = line.split(separator: "\t")
        return parts.count == 2 ? Int64(parts[1]).map { (String(parts[0]), $0) } : nil
      }, uniquingKeysWith: { $1 })
    daemonLog = work.appending("daemon.log").lines()
  }

  /// The state of the zone at the end.
  var zone: ZoneStatus? { status?.zones.first }

  /// The logs of all daemons, combined.
  var log: TargetedLog { TargetedLog(logs.flatMap(\.changes)) }

  /// The last receipt of each drop, in the order in which the drops ended.
  var receipts: [Receipt] {
    var last: [String: Int] = [:]
    for (index, receipt) in history.enumerated() { last[receipt.id] = index }
    return history.indices.filter { last[history[$0].id] == $0 }.map { history[$0] }
  }

  func receipts(_ outcome: Receipt.Outcome) -> [Receipt] { receipts.filter { $0.outcome == outcome } }

  func receipt(of location: String) -> Receipt? { receipts.last { $0.location == location } }

  /// The content of a directory of the recipe: Z, B, X, R, RX, S, L, or one that it listed itself.
  func entries(_ place: String) -> [Entry] { Entry.list(place, in: work) ?? [] }

  func files(_ place: String) -> [Entry] { entries(place).filter { $0.kind == "f" } }

  func staged(_ location: String) -> StagedStatus? { zone?.staged.first { $0.location == location } }

  /// The content of a file of the recipe.
  func text(_ file: String) -> String { work.appending(RawPath(file)).lines().joined(separator: "\n") }

  /// A description for reading failures. It is complete the first time, and then refers to the first.
  var story: String {
    guard printed.first() else { return "\(scenario), see above" }
    let receipts = history.map { receipt in
      let reason = receipt.reason.map { " \($0.code.rawValue): \($0.message)" } ?? ""
      return
        "  \(receipt.location) \(receipt.outcome.rawValue)\(reason), \(receipt.bytes) bytes, at \(receipt.place ?? "-")"
    }
    let staged = (zone?.staged ?? []).map { "  \($0.location) waits: \($0.waiting.rawValue), \($0.detail)" }
    let places = ["Z", "B", "X", "R", "RX"].flatMap { place in
      entries(place).prefix(20).map { "  \(place)/\($0.path) \($0.kind) \($0.bytes)" }
    }
    let parts: [(String, [String])] = [
      ("rig", notes), ("targeted", logs.map { "  " + $0.word }), ("receipts", receipts), ("staged", staged),
      ("files", places), ("exits", exits.map { "  \($0)" }), ("daemon log", daemonLog.suffix(15)),
      ("client log", work.appending("client.log").lines().suffix(3)),
    ]
    return "\(scenario)\n"
      + parts.filter { !$0.1.isEmpty }.map { "\($0.0):\n\($0.1.prefix(40).joined(separator: "\n"))" }
      .joined(separator: "\n")
  }
}

/// Whether the description has been printed already.
private final class Printed: Sendable {
  private let flag = Atomic(false)

  func first() -> Bool { !flag.exchange(true, ordering: .relaxed) }
}
