internal import DropEngine

/// Reads calls, passes them to the daemon, and sends its answers.
struct ZonesService: Sendable {
  let control: any ZonesControl
  let version: String
  let limits: ControlLimits

  /// Answers one message. The client's next call begins when this returns.
  func answer(_ request: ControlServer.Request) async {
    let client = request.client
    guard var call = try? VarlinkCall(request.message) else {
      // After a message that makes no sense, we cannot rely on where the next one begins.
      client.send(VarlinkReply.failure(.invalidParameter("message")))
      return client.finish(ending: true)
    }
    let replier = Replier(client: client, isSilent: call.oneway)
    do throws(VarlinkError) {
      if call.upgrade { throw .methodNotImplemented(call.method) }
      switch call.interface {
      case ServiceInterface.name: try describe(&call, replier)
      case ZonesInterface.name: try await perform(&call, replier)
      default: throw .interfaceNotFound(call.interface)
      }
    } catch {
      replier.fail(error)
    }
    client.finish()
  }

  private func describe(_ call: inout VarlinkCall, _ replier: Replier) throws(VarlinkError) {
    switch call.member {
    case "GetInfo":
      try call.parameters.finish()
      try replier.send(ServiceInterface.Information(version: version))
    case "GetInterfaceDescription":
      let interface: String = try call.parameters.require("interface")
      try call.parameters.finish()
      switch interface {
      case ServiceInterface.name:
        try replier.send(ServiceInterface.Description(description: ServiceInterface.description))
      case ZonesInterface.name:
        try replier.send(ServiceInterface.Description(description: ZonesInterface.description))
      default: throw .interfaceNotFound(interface)
      }
    default: throw .methodNotFound(call.method)
    }
  }

  private func perform(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    switch call.member {
    case "List": try await list(&call, replier)
    case "Monitor": try await monitor(&call, replier)
    case "Explain": try await explain(&call, replier)
    case "History": try await history(&call, replier)
    case "Wait": try await wait(&call, replier)
    case "Pause":
      try await change(&call, "zones", replier) { zones throws(ControlError) in try await control.pause(zones) }
    case "Resume":
      try await change(&call, "zones", replier) { zones throws(ControlError) in try await control.resume(zones) }
    case "Retry": try await change(&call, "ids", replier) { ids throws(ControlError) in try await control.retry(ids) }
    case "Release":
      try await change(&call, "ids", replier) { ids throws(ControlError) in try await control.release(ids) }
    case "Undo": try await change(&call, "ids", replier) { ids throws(ControlError) in try await control.undo(ids) }
    case "Reload":
      guard replier.client.mayChange else { throw .permissionDenied }
      try call.parameters.finish()
      try await translatingErrors { () throws(ControlError) in try await control.reload() }
      try replier.send(NoParameters())
    default: throw .methodNotFound(call.method)
    }
  }

  private func explain(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let text: String? = try call.parameters.take("path")
    let encoded: String? = try call.parameters.take("pathBytes")
    try call.parameters.finish()
    let path: RawPath
    switch (text, encoded) {
    case (let text?, nil): path = RawPath(text)
    case (nil, let encoded?):
      guard let bytes = VarlinkJSON.bytes(base64: encoded) else { throw .invalidParameter("pathBytes") }
      path = RawPath(bytes: bytes)
    default: throw .invalidParameter("path")
    }
    guard path.bytes.first == .slash, !path.bytes.contains(0) else {
      throw .invalidParameter(encoded == nil ? "path" : "pathBytes")
    }
    let explanation = try await translatingErrors { () throws(ControlError) in try await control.explain(path) }
    try replier.send(ExplainReply(explanation: explanation))
  }

  private func wait(_ call: inout VarlinkCall, _ replier: Replier) async throws(VarlinkError) {
    let zones: [String] = try call.parameters.take("zones") ?? []
    let milliseconds: Int64? = try call.parameters.take("milliseconds")
    try call.parameters.finish()
    if let milliseconds, milliseconds < 0 { throw .invalidParameter("milliseconds") }
    let timeout = milliseconds.map { Duration.milliseconds($0) }
    let settled = try await replier.whileConnected { () throws(VarlinkError) in
      try await translatingErrors { () throws(ControlError) in try await control.wait(for: zones, timeout: timeout) }
    }
    if let settled { try replier.send(WaitReply(settled: settled)) }
  }

  /// Performs a method that makes changes and has one list as its parameter, if the client may do this.
  private func change(
    _ call: inout VarlinkCall, _ list: String, _ replier: Replier,
    _ body: ([String]) async throws(ControlError) -> Void
  ) async throws(VarlinkError) {
    guard replier.client.mayChange else { throw .permissionDenied }
    let values: [String] = try call.parameters.require(list)
    try call.parameters.finish()
    guard !values.isEmpty else { throw .invalidParameter(list) }
    try await translatingErrors { () throws(ControlError) in try await body(values) }
    try replier.send(NoParameters())
  }

  /// Translates the daemon's errors to those of the interface.
  func translatingErrors<Result>(_ body: () async throws(ControlError) -> Result) async throws(VarlinkError) -> Result {
    do throws(ControlError) { return try await body() } catch { throw VarlinkError(error) }
  }
}

struct ExplainReply: Codable { let explanation: Explanation }

struct WaitReply: Codable { let settled: Bool }

struct HistoryReply: Codable {
  let entries: [HistoryEntry]
  let complete: Bool
}
