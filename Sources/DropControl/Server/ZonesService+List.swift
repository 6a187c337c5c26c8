internal import DropEngine

extension ZonesService {
  func list(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let zones: [String] = try call.parameters.take("zones") ?? []
    try call.parameters.finish()
    var report = try await translatingErrors { () throws(ControlError) in try await control.status(of: zones) }
    report.cut(to: limits.reply)
    try await replier.send(LongReport(report))
  }
}
