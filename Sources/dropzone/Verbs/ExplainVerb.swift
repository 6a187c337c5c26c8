import DropControl
import DropEngine
import DropSystem

/// `explain`: shows why a file is waiting, or what would happen to it.
struct ExplainVerb: Verb {
  static let name = "explain"
  static let summary = "say why a file is waiting, or what would happen to it; changes nothing"
  static let usage = "PATH [--json]"
  static let options = [Option.json]

  let path: RawPath
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    guard let path = arguments.operands.first, arguments.operands.count == 1, !path.isEmpty else {
      throw .usage("\(arguments.command): give the path of one file")
    }
    self.path = path
    isJSON = arguments.has(.json)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    do throws(ControlClientError) {
      let explanation = try ask(client)
      if isJSON {
        Output.json(explanation)
      } else {
        for line in Self.lines(explanation) { Output.line(line) }
        showType(indent: "  ")
      }
      return .done
    } catch {
      // The daemon says nothing about files outside zones, but we can show their type.
      if !isJSON, Self.isElsewhere(error) { showType() }
      throw Failure(error)
    }
  }

  /// Shows the type. The daemon does not open files to explain them, so this reads the file as the current user.
  private func showType(indent: String = "") {
    guard let typer = try? ContentTyper(), let typed = try? FileTyping(path, by: typer) else { return }
    Output.line(indent + TypeVerb.line(typed))
  }

  private func ask(_ client: ControlClient) throws(ControlClientError) -> Explanation {
    do throws(ControlClientError) {
      return try client.explain(WorkingDirectory.absolute(path))
    } catch {
      // The path may lead through a link to the zone, so try the real path too.
      guard Self.isElsewhere(error), let real = WorkingDirectory.resolved(path) else { throw error }
      return try client.explain(real)
    }
  }

  private static func isElsewhere(_ error: ControlClientError) -> Bool {
    guard case .refused(let refusal) = error, case .notInAnyZone = refusal.controlError else { return false }
    return true
  }

  static func lines(_ explanation: Explanation, style: Style = Output.style) -> [String] {
    var facts = [("zone", explanation.zone), ("location", explanation.location)]
    let waiting = explanation.waiting.map { ", waiting for \($0.rawValue)" } ?? ""
    let detail = explanation.detail.map { ": \($0)" } ?? ""
    facts.append(("state", explanation.state.rawValue + waiting + detail))
    if let evidence = explanation.evidence { facts.append(("evidence", evidence.rawValue)) }
    if let type = explanation.claimedType { facts.append(("claimed", type)) }
    let rows =
      facts.map { (mark: " ", appearance: Style.Appearance.faint, name: $0.0, text: $0.1) }
      + explanation.rules.map { rule in
        switch rule.passes {
        case true?: ("✓", .good, rule.rule, rule.detail)
        case false?: ("✗", .bad, rule.rule, rule.detail)
        case nil: ("?", .careful, rule.rule, rule.detail)
        }
      }
    let width = rows.map { TerminalText.width($0.name) }.max() ?? 0
    return rows.map { row in
      "\(style(row.appearance, row.mark)) \(TerminalText.pad(TerminalText.safe(row.name), width))  \(TerminalText.safe(row.text))"
    }
  }
}
