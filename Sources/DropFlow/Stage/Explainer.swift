import DropEngine
import DropSystem

/// Says why a file waits, or what would happen to it, from its name and its status alone.
struct Explainer {
  let tree: DirectoryTree
  let typer: ContentTyper

  func explain(
    _ location: RawPath, in zone: WatchedZone, _ key: PayloadKey?, _ status: FileStatus?
  ) -> Explanation {
    var explanation = Explanation(
      zone: zone.name, location: location.description, locationBytes: Base64.encode(location.bytes),
      state: .notThere, claimedType: typer.claimedType(of: location.lastComponent))
    explanation.rules = rules(location, status, zone)
    if zone.live?.asksConfiguration == true {
      explanation.rules.append(configurationRule(key.flatMap { zone.staging[$0] }, zone))
    }
    if let key, let payload = zone.staging[key] {
      explanation.state = .staged
      explanation.waiting = payload.waiting
      explanation.detail = payload.detail
      explanation.evidence = payload.evidence
    } else if let key, let status, zone.staging.isInFlight(key, status.identity) {
      explanation.state = .inHand
    } else if let status, let original = zone.originals[location], original.holds(for: status) != false {
      explanation.state = .taken
      explanation.detail = "it was taken already, and is left alone until it changes or `release` is asked"
    } else if status != nil {
      explanation.state = .leftAlone
    }
    if explanation.detail == nil { explanation.detail = unlistedReason(at: location, in: zone) }
    return explanation
  }

  /// Why nothing is known of the file at a location, if that is so.
  private func unlistedReason(at location: RawPath, in zone: WatchedZone) -> String? {
    guard !zone.coverage.unlisted.isEmpty, var id = zone.root.directory else { return nil }
    var components = location.components[...]
    while true {
      if let reason = zone.coverage.unlisted.reason(of: id) {
        return components.isEmpty
          ? "it cannot be listed: \(reason); it is tried again"
          : "its directory cannot be listed: \(reason); it is tried again"
      }
      guard let part = components.popFirst(), let child = tree[id]?.children[part] else { return nil }
      id = child
    }
  }

  /// What the zone's configuration said last, and how long it took if that is too long.
  private func configurationRule(_ payload: StagedPayload?, _ zone: WatchedZone) -> Explanation.Rule {
    guard let answer = payload.flatMap({ zone.live?.answers[$0.id] }), let verdict = answer.verdict else {
      return Explanation.Rule(
        rule: "dropConfiguration", passes: nil, detail: "asked while it arrives, and at its release")
    }
    var detail = verdict.refusal.map { "forbidden: \($0)" } ?? verdict.operation.rawValue
    if let destination = verdict.destination { detail += ", in '\(destination)'" }
    if answer.took > LiveZone.slow { detail += "; it took \(answer.took.formatted)" }
    return Explanation.Rule(rule: "dropConfiguration", passes: verdict.refusal == nil, detail: detail)
  }

  private func rules(_ location: RawPath, _ status: FileStatus?, _ zone: WatchedZone) -> [Explanation.Rule] {
    let name = location.lastComponent
    let wanted = zone.plan.wants(name)
    var rules = [
      nameRule(zone.plan.lists.kind(ofLocation: location)),
      Explanation.Rule(rule: "Names, ExcludeNames", passes: wanted, detail: wanted ? "wanted here" : "left alone"),
    ]
    if let status {
      let refusal = zone.settings.accept.sizeRefusal(status.size, isComplete: true)
      rules.append(
        Explanation.Rule(rule: "kind", passes: status.kind == .regular, detail: "a \(status.kind.rawValue)"))
      rules.append(
        Explanation.Rule(
          rule: "MinSize, MaxSize", passes: refusal == nil, detail: refusal?.message ?? status.size.formattedBytes))
    }
    if !zone.settings.accept.types.isEmpty { rules.append(typeRule(name, zone)) }
    if let command = zone.settings.handler.command {
      let text = Escaping.escape(command.joined(separator: " "))
      rules.append(Explanation.Rule(rule: "OnDrop", passes: nil, detail: "asked once it is complete: \(text)"))
    } else if zone.plan.handler != nil {
      rules.append(Explanation.Rule(rule: "onDrop", passes: nil, detail: "the program is asked once it is complete"))
    }
    return rules
  }

  private func nameRule(_ kind: NameKind) -> Explanation.Rule {
    switch kind {
    case .ordinary: Explanation.Rule(rule: "Ignore, Temporary", passes: true, detail: "an ordinary name")
    case .temporary:
      Explanation.Rule(rule: "Temporary", passes: false, detail: "a temporary name: staged, never released")
    case .junk: Explanation.Rule(rule: "Ignore", passes: false, detail: "left alone")
    }
  }

  private func typeRule(_ name: RawPath, _ zone: WatchedZone) -> Explanation.Rule {
    let wanted = zone.settings.accept.types.joined(separator: ", ")
    if zone.plan.mayTake(name: name, by: typer) {
      return Explanation.Rule(
        rule: "Types", passes: nil, detail: "known once the content is read; wanted: \(wanted)")
    }
    return Explanation.Rule(
      rule: "Types", passes: false,
      detail: "the name says \(typer.claimedType(of: name) ?? "nothing"); wanted: \(wanted)")
  }
}
