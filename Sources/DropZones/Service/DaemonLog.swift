import DropEngine
import DropFlow
import DropSystem

/// One escaped line a record, on standard error.
struct DaemonLog: FlowLog {
  func notice(_ message: String, zone: String, id: DropID?, location: RawPath?) {
    write(6, message, zone, id, location)
  }

  func warning(_ message: String, zone: String, id: DropID?, location: RawPath?) {
    write(4, message, zone, id, location)
  }

  private func write(_ priority: Int, _ message: String, _ zone: String, _ id: DropID?, _ location: RawPath?) {
    var line = zone.isEmpty ? "" : zone + ": "
    if let location, !location.isEmpty { line += "'\(location)' " }
    line += message
    if let id { line += " [\(id)]" }
    StandardStream.error.write(line)
  }
}
