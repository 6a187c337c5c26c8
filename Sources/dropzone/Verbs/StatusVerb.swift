import DropControl
import DropEngine

/// `status`: shows each zone as a drop target.
struct StatusVerb: Verb {
  static let name = "status"
  static let summary = "show each zone, what is staged in it, and what it is waiting for"
  static let usage = "[ZONE…] [--watch] [--json]"
  static let options = [Option.watch, Option.json]
  static let details = """
    ○ idle   ● targeted: something is arriving   ⊘ forbidden   ‖ paused   ! blocked or unavailable
    The border is dashed, and solid while something is arriving.
    """

  let zones: [String]
  let watches: Bool
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    zones = try arguments.zones()
    watches = arguments.has(.watch)
    isJSON = arguments.has(.json)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    if watches { return try LiveStatus(zones: zones, isJSON: isJSON).run(client, daemon) }
    let report = try daemon.translatingErrors(about: zones) { () throws(ControlClientError) in try client.list(zones) }
    if isJSON {
      Output.json(report)
    } else {
      let lines = Self.lines(report.zones, width: Output.width ?? 80, style: Output.style)
      for line in lines + [Output.style(.faint, Summary.daemon(report.daemon))] { Output.line(line) }
    }
    return .done
  }

  /// The cards of all zones, and the totals.
  static func lines(
    _ zones: [ZoneStatus], width: Int, style: Style, rates: [DropID: Double] = [:], limit: Int = .max
  ) -> [String] {
    zones.flatMap { ZoneCard(zone: $0, width: min(width, 100), style: style, rates: rates, limit: limit).lines }
      + [TerminalText.fit(Summary.totals(zones), max(width, ZoneCard.narrowest))]
  }
}
