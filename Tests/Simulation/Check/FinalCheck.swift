import DropEngine

/// What must be true once everything has settled.
enum FinalCheck {
  static func run(_ machine: inout Machine) {
    // A file that its handler renamed is found without a row after a crash, and goes to the rejects under another id.
    if machine.witness.hasRenamed { return }
    checkRows(&machine)
    if machine.witness.isLenient { return }
    checkPlaces(&machine)
    checkReceipts(&machine)
    checkFiles(&machine)
  }

  private static func checkRows(_ machine: inout Machine) {
    for row in machine.ledger.rows {
      machine.witness.report(.leftover, "a row is left: \(row.id), \(row.state.rawValue)")
    }
    for place in Place.allCases {
      let folder = machine[place]
      for entry in machine.disks[folder.disk].list(folder.id) {
        let name = machine.names.text(of: entry.name)
        if place.isHold, !machine.witness.isLenient {
          machine.witness.report(.leftover, "'\(name)' is left in \(place)")
        }
        let isOurs = name.bytes.starts(with: Self.ownPrefix)
        if isOurs, !machine.witness.isLenient, !machine.faults.hasFailedToTidy, !machine.hasBeenAway {
          machine.witness.report(.leftover, "'\(name)' is left in \(place)")
        }
      }
    }
  }

  private static let ownPrefix = Array(".dropzone-".utf8)

  /// Each payload is in exactly one place; of a copy, this is the copy.
  private static func checkPlaces(_ machine: inout Machine) {
    let census = Census(machine)
    for index in machine.witness.payloads.indices {
      let known = machine.witness.payloads[index]
      let counts = census[index]
      if known.isLinked { continue }
      let delivered = counts.box + counts.rejects
      switch known.state {
      case .expected:
        let total = known.isCopied && delivered + counts.twins > 0 ? delivered : counts.zone + delivered
        if total + counts.twins == 0 { machine.witness.report(.lost, "\(known.content) is nowhere at the end") }
        if total > 1 { machine.witness.report(.doubled, "\(known.content) is in \(total) places at the end") }
      case .takenByReader, .takenByHandler:
        let total = known.isCopied ? delivered : counts.zone + delivered
        if total > 0 { machine.witness.report(.deliveredTwice, "\(known.content) was taken and is there again") }
      case .gone, .optional: break
      }
      if known.isCopied, counts.box > 1 {
        machine.witness.report(.deliveredTwice, "\(known.content) is twice in the box")
      }
    }
  }

  // MARK: - Receipts

  private static func checkReceipts(_ machine: inout Machine) {
    var ids: [DropID] = []
    var delivered: [Content] = []
    for record in machine.ledger.receipts where !ids.contains(record.id) {
      ids.append(record.id)
      let isLinked = machine.witness.content(of: record.id).flatMap { machine.witness.known($0)?.isLinked } ?? false
      if !isLinked { checkOrder(of: record.id, &machine) }
      guard let outcome = machine.ledger.outcome(of: record.id), let content = machine.witness.content(of: record.id)
      else { continue }
      check(outcome, content, &machine)
      guard outcome.outcome == .delivered, let known = machine.witness.known(content), !known.isLinked,
        !known.isRenamed, known.state == .expected
      else { continue }
      if delivered.contains(content), machine.witness.retried.isEmpty {
        machine.witness.report(.receipts, "\(content) has two receipts as delivered")
      }
      delivered.append(content)
    }
  }

  /// Delivered once, unless it was undone in between.
  private static func checkOrder(of id: DropID, _ machine: inout Machine) {
    // One that was found again under another name has had an outcome of no consequence.
    let outcomes = machine.ledger.receipts.filter { $0.id == id && $0.outcome != .withdrawn }.map(\.outcome)
    let retries = machine.witness.retried.count { $0 == id }
    if outcomes.count > 1 + retries {
      machine.witness.report(.receipts, "\(id) has \(outcomes.count) receipts: \(outcomes.map(\.rawValue))")
    }
  }

  private static func check(_ record: ReceiptRecord, _ content: Content, _ machine: inout Machine) {
    guard let known = machine.witness.known(content) else { return }
    switch record.outcome {
    case .delivered, .rejected, .failed:
      guard known.state == .expected, !known.isRenamed else { return }
      guard let place = record.place else {
        // Its handler removed it, and failed or refused it.
        return machine.witness.report(.receipts, "\(record.id) is \(record.outcome.rawValue) without a place")
      }
      if file(at: place, machine).map({ machine[$0].content }) != content {
        machine.witness.report(.receipts, "\(record.id) is not at '\(place)', where it was \(record.outcome.rawValue)")
      }
    case .withdrawn:
      guard known.state == .expected, !known.isRenamed, !known.isLinked, !Census(machine).isInZone(content, machine)
      else {
        return
      }
      machine.witness.report(.receipts, "\(record.id) is there and was withdrawn")
    case .taken:
      if known.state == .expected { machine.witness.report(.receipts, "\(record.id) is there and was taken") }
    case .undone:
      guard known.state == .expected, !known.isCopied, !known.isRenamed, !Census(machine).isInZone(content, machine)
      else { return }
      machine.witness.report(.receipts, "\(record.id) was undone and is not in the zone")
    }
  }

  static func file(at path: RawPath, _ machine: Machine) -> FileReference? {
    guard let folder = try? machine.folder(at: path.parent) else { return nil }
    return machine.find(machine.names[path.lastComponent], in: folder)
  }

  // MARK: - Files

  /// Each file in the box or the rejects has one receipt, and each reject its reason.
  private static func checkFiles(_ machine: inout Machine) {
    for disk in machine.disks.indices {
      for entry in machine.disks[disk].entries {
        let file = FileReference(disk: disk, id: entry.file)
        let folder = Folder(disk: disk, id: entry.directory)
        guard !machine[file].isDirectory, let place = machine.place(of: folder), place == .box || place == .rejects,
          !machine.witness.foreign.contains(file)
        else { continue }
        switch machine.names.kind(of: entry.name) {
        case .ordinary: checkFile(entry.name, file, folder, place, &machine)
        case .reason: checkReason(entry.name, file, folder, &machine)
        case .hidden: break
        }
      }
    }
  }

  private static func checkFile(
    _ name: Name, _ file: FileReference, _ folder: Folder, _ place: Place, _ machine: inout Machine
  ) {
    let text = machine.names.text(of: name)
    // Its reader's removal was undone by a power cut.
    if let known = machine.witness.known(machine[file].content), known.isRenamed || known.isLinked { return }
    let isListed = machine.ledger.receipts.contains { record in
      guard let path = record.place, path.lastComponent == text, self.file(at: path, machine) == file else {
        return false
      }
      let outcome = machine.ledger.outcome(of: record.id)
      return outcome?.place == path && (outcome?.outcome == .delivered) == (place == .box)
    }
    if !isListed { machine.witness.report(.receipts, "'\(text)' in \(place) has no receipt") }
    if place == .rejects, machine.find(machine.names.reason(beside: name), in: folder) == nil {
      machine.witness.report(.receipts, "the reject '\(text)' has no reason")
    }
  }

  private static func checkReason(_ name: Name, _ file: FileReference, _ folder: Folder, _ machine: inout Machine) {
    let isNeeded = machine.disks[folder.disk].list(folder.id).contains {
      machine.names.kind(of: $0.name) == .ordinary && machine.names.reason(beside: $0.name) == name
    }
    if !isNeeded, !machine.hasBeenAway {
      machine.witness.report(.leftover, "'\(machine.names.text(of: name))' has no reject")
    }
  }
}

extension Census {
  func isInZone(_ content: Content, _ machine: Machine) -> Bool {
    machine.witness.index(of: content).map { self[$0].zone > 0 } ?? false
  }
}
