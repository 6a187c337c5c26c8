package import DropEngine
import DropSystem

extension StagingArea {
  /// Why a file waits, or what would happen to it: each rule's answer, from its name and its size alone.
  package func explain(_ path: RawPath) async throws(ControlError) -> Explanation {
    var explanation = try explainStaged(path)
    // What has left the zone for the hold is known by its row.
    if explanation.state == "not there", let (name, location) = zoneAndLocation(of: path), let zone = zones[name],
      let row = try? ledger.read({ (ledger) throws(SQLiteError) in try ledger.drops() })
        .last(where: { $0.zone == name && $0.location == location })
    {
      explanation.state = "in hand"
      explanation.evidence = row.evidence
      explanation.detail = await zone.flow.trouble(of: row.id)
      if row.attempts > 0 {
        explanation.rules.append(.init(rule: "OnDrop", passes: nil, detail: "attempt \(row.attempts)"))
      }
    }
    return explanation
  }

  private func explainStaged(_ path: RawPath) throws(ControlError) -> Explanation {
    eventsArrived()
    guard let (name, location) = zoneAndLocation(of: path), let zone = zones[name] else {
      throw .notInAnyZone(path.description)
    }
    var open: [Int32: OpenFile] = [:]
    let id = zone.root.flatMap { tree.find(location.parent, from: $0) }
    let key = id.map { PayloadKey(directory: $0, name: location.lastComponent) }
    let status = key.flatMap { key in
      directory(key.directory, &open).flatMap { try? FileStatus.read(at: key.name, in: $0.number) }
    }
    var explanation = Explanation(
      zone: name, location: location.description, locationBytes: Base64.encode(location.bytes), state: "not there",
      claimedType: typer.claimedType(of: location.lastComponent))
    explanation.rules = rules(location, key, status, zone)
    if zone.live?.asksConfiguration == true {
      explanation.rules.append(configurationRule(key.flatMap { zone.staging[$0] }, zone))
    }
    if let key, let payload = zone.staging[key] {
      explanation.state = "staged"
      explanation.waiting = payload.waiting
      explanation.detail = payload.detail
      explanation.evidence = payload.evidence
    } else if let key, let status, zone.staging.isInFlight(key, status.identity) {
      explanation.state = "in hand"
    } else if let status, let note = zone.taken[location], note.holds(for: status) != false {
      explanation.state = "taken"
      explanation.detail = "it was taken already, and is left alone until it changes or `release` is asked"
    } else if status != nil {
      explanation.state = "left alone"
    }
    if explanation.detail == nil { explanation.detail = unlistedReason(at: location, in: zone) }
    return explanation
  }

  /// What the zone's configuration said last, and how long it took where that is too long.
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

  private func zoneAndLocation(of path: RawPath) -> (String, RawPath)? {
    for name in order {
      guard let zone = zones[name] else { continue }
      for root in Set([zone.settings.path, zone.resolvedPath]) {
        let prefix = RawPath(root).bytes + [.slash]
        if path.bytes.starts(with: prefix), path.bytes.count > prefix.count {
          return (name, RawPath(bytes: Array(path.bytes.dropFirst(prefix.count))))
        }
      }
    }
    return nil
  }

  private func rules(_ location: RawPath, _ key: PayloadKey?, _ status: FileStatus?, _ zone: WatchedZone)
    -> [Explanation
    .Rule]
  {
    let accept = zone.settings.accept
    let kind = zone.plan.lists.kind(ofLocation: location)
    var rules: [Explanation.Rule] = []
    switch kind {
    case .ordinary: rules.append(.init(rule: "Ignore, Temporary", passes: true, detail: "an ordinary name"))
    case .temporary:
      rules.append(.init(rule: "Temporary", passes: false, detail: "a temporary name: staged, never released"))
    case .junk: rules.append(.init(rule: "Ignore", passes: false, detail: "left alone"))
    }
    let wanted = zone.plan.wants(location.lastComponent)
    rules.append(.init(rule: "Names, ExcludeNames", passes: wanted, detail: wanted ? "wanted here" : "left alone"))
    if let status {
      let isRegular = status.kind == .regular
      rules.append(.init(rule: "kind", passes: isRegular, detail: "a \(status.kind.rawValue)"))
      let refusal = accept.sizeRefusal(status.size, isComplete: true)
      rules.append(
        .init(rule: "MinSize, MaxSize", passes: refusal == nil, detail: refusal?.message ?? status.size.formattedBytes))
    }
    if !accept.types.isEmpty {
      let may = zone.plan.mayTake(name: location.lastComponent, by: typer)
      rules.append(
        .init(
          rule: "Types", passes: may ? nil : false,
          detail: may
            ? "known once the content is read; wanted: \(accept.types.joined(separator: ", "))"
            : "the name says \(typer.claimedType(of: location.lastComponent) ?? "nothing"); wanted: \(accept.types.joined(separator: ", "))"
        ))
    }
    if let command = zone.settings.handler.command {
      rules.append(
        .init(
          rule: "OnDrop", passes: nil,
          detail: "asked once it is complete: \(Escaping.escape(command.joined(separator: " ")))"))
    } else if zone.plan.handler != nil {
      rules.append(.init(rule: "onDrop", passes: nil, detail: "the program is asked once it is complete"))
    }
    return rules
  }
}
