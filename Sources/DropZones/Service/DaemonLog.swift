import DropEngine
import DropFlow
import DropSystem

/// Writes the flow's messages to the log, with fields for searching the journal.
struct DaemonLog: FlowLog {
  func notice(_ message: String, zone: String, id: DropID?, location: RawPath?) {
    write(.notice, message, zone, id, location)
  }

  func warning(_ message: String, zone: String, id: DropID?, location: RawPath?) {
    write(.warning, message, zone, id, location)
  }

  private func write(_ level: Log.Level, _ message: String, _ zone: String, _ id: DropID?, _ location: RawPath?) {
    var line = zone.isEmpty ? "" : zone + ": "
    var fields: [LogField] = zone.isEmpty ? [] : [.zone(zone)]
    if let location, !location.isEmpty {
      line += "'\(location)' "
      fields.append(.location(location))
    }
    line += message
    if let id { fields.append(.id(id)) }
    Log.shared.write(level, line, fields)
  }
}
