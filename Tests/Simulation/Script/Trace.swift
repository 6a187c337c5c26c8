import DropEngine

/// What a script does, step by step, for people who look for the reason of a failure.
extension World {
  /// The next step of the payload that goes on next.
  package var nextStep: String {
    guard let first = runnable.first else { return "nothing" }
    let delivery = daemon.payloads[first].delivery
    return "\(Coverage.phase(of: delivery)): \(Self.short(delivery.step))"
  }

  private static func short(_ step: Delivery.Step) -> String {
    guard case .commit(let changes) = step else { return "\(step)" }
    return "commit "
      + changes.map { change in
        switch change {
        case .put(let drop): "put \(drop.state.rawValue)"
        case .addReceipt(let record): "receipt \(record.outcome.rawValue) \(record.place?.description ?? "-")"
        default: "\(change)".prefix { $0 != "(" } + ""
        }
      }.joined(separator: ", ")
  }

  /// Every name, with the bytes that it leads to, and the ledger's rows.
  package var listing: String {
    var lines: [String] = []
    for disk in machine.disks.indices {
      for entry in machine.disks[disk].entries where entry.directory != .root {
        let file = FileReference(disk: disk, id: entry.file)
        let place = machine.place(of: Folder(disk: disk, id: entry.directory)).map { $0.path } ?? "?"
        let content = machine[file].content
        let name = machine.names.text(of: entry.name)
        lines.append("\(place)/\(name) #\(machine[file].number) [\(content.source):\(content.length)]")
      }
    }
    for row in machine.ledger.rows {
      lines.append("row \(row.id.description.suffix(3)) \(row.state.rawValue) #\(row.inode)")
    }
    return lines.joined(separator: "  ")
  }
}

extension Script {
  /// Runs the script and prints what happens.
  package func trace(planted: PlantedFault? = nil) {
    var world = World(setup, planted: planted)
    for action in actions {
      print("\(action)  \(action == .step(0) ? world.nextStep : "")")
      world.perform(action)
      print("    \(world.listing)")
    }
    world.heal()
    for _ in 0..<200 where world.violation == nil {
      if world.runnable.isEmpty {
        guard world.nextDeadline != nil else { break }
        print("advance")
        world.perform(.advance)
        continue
      }
      print("…  \(world.nextStep)")
      world.perform(.step(0))
      print("    \(world.listing)")
    }
    world.conclude()
    print(world.violation.map { "\($0)" } ?? "no promise is broken")
  }
}
