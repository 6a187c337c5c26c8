import DropControl
import DropEngine

/// `status`: each zone as the drop target it is.
struct StatusVerb: Verb {
  static let name = "status"
  static let summary = "show each zone, what is staged in it, and what that waits for"
  static let usage = "[ZONE…] [--watch] [--json]"
  static let options = [Option.watch, Option.json]
  static let details = """
    ○ idle   ● targeted: something arrives   ⊘ forbidden   ‖ paused   ! blocked or unavailable
    A dashed border turns solid while something arrives.
    """

  let zones: [String]
  let watches: Bool
  let isJSON: Bool

  init(_ given: Given) throws(Failure) {
    zones = try given.zones()
    watches = given.has(.watch)
    isJSON = given.has(.json)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    if watches { return try Watching(zones: zones, isJSON: isJSON).run(client, daemon) }
    let report = try daemon.asking(of: zones) { () throws(ControlClientError) in try client.list(zones) }
    if isJSON {
      Output.json(report)
    } else {
      let lines = Self.lines(report.zones, width: Output.width ?? 80, style: Output.style)
      for line in lines + [Output.style(.faint, Summary.daemon(report.daemon))] { Output.line(line) }
    }
    return .done
  }

  /// All cards, and the totals.
  static func lines(
    _ zones: [ZoneStatus], width: Int, style: Style, rates: [DropID: Double] = [:], limit: Int = .max
  ) -> [String] {
    zones.flatMap { ZoneCard(zone: $0, width: min(width, 100), style: style, rates: rates, limit: limit).lines }
      + [Shown.fit(Summary.totals(zones), max(width, ZoneCard.narrowest))]
  }
}
