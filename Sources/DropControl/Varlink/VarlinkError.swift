package import DropEngine

/// An error reply, whose name tells programs what went wrong.
package struct VarlinkError: Error, Hashable, Sendable {
  /// The full name of the error, such as `io.dropzone.Zones.NoSuchZone`.
  package let name: String
  package let parameters: [String: String]

  init(_ name: String, _ parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotFound", ["method": method])
  }

  static func methodNotImplemented(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotImplemented", ["method": method])
  }

  static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": interface])
  }

  static func invalidParameter(_ parameter: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InvalidParameter", ["parameter": parameter])
  }

  static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")
  /// The method has several replies, and the call does not accept them.
  static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
  static let tooManyConnections = VarlinkError(ZonesInterface.name + ".TooManyConnections")
  static let messageTooLong = VarlinkError(ZonesInterface.name + ".MessageTooLong")
}

extension VarlinkError {
  /// Converts a control error to the error that the interface defines for it.
  package init(_ error: ControlError) {
    func named(_ name: String, _ parameters: [String: String] = [:]) -> VarlinkError {
      VarlinkError(ZonesInterface.name + "." + name, parameters)
    }
    switch error {
    case .noSuchZone(let zone): self = named("NoSuchZone", ["zone": zone])
    case .notInAnyZone(let path): self = named("NotInAnyZone", ["path": path])
    case .notPossible(let id, let message): self = named("NotPossible", ["id": id, "message": message])
    case .configuration(let message): self = named("ConfigurationError", ["message": message])
    case .stopping: self = named("Stopping")
    }
  }

  /// The control error with this name; nil if the name is not one of the interface's.
  package var controlError: ControlError? {
    guard name.hasPrefix(ZonesInterface.name + ".") else { return nil }
    switch name.dropFirst(ZonesInterface.name.count + 1) {
    case "NoSuchZone": return .noSuchZone(parameters["zone"] ?? "")
    case "NotInAnyZone": return .notInAnyZone(parameters["path"] ?? "")
    case "NotPossible": return .notPossible(id: parameters["id"] ?? "", message: parameters["message"] ?? "")
    case "ConfigurationError": return .configuration(parameters["message"] ?? "")
    case "Stopping": return .stopping
    default: return nil
    }
  }
}
