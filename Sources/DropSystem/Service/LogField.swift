package import DropEngine

/// A field of a log record besides its message, which can be searched for in the journal.
package struct LogField: Hashable, Sendable {
  /// Capital letters, digits and underscores, as the journal requires.
  package let name: String
  /// The exact bytes, without escapes.
  package let value: [UInt8]

  package init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  package static func zone(_ name: String) -> LogField { LogField("DROP_ZONE", Array(name.utf8)) }
  package static func id(_ id: DropID) -> LogField { LogField("DROP_ID", Array(id.description.utf8)) }
  package static func location(_ location: RawPath) -> LogField { LogField("DROP_LOCATION", location.bytes) }
  package static func path(_ path: RawPath) -> LogField { LogField("DROP_PATH", path.bytes) }
  package static func place(_ path: RawPath) -> LogField { LogField("DROP_PLACE", path.bytes) }
  package static func type(_ type: String) -> LogField { LogField("DROP_TYPE", Array(type.utf8)) }
  package static func bytes(_ count: Int64) -> LogField { LogField("DROP_BYTES", Array(String(count).utf8)) }
  package static func sha256(_ digits: String) -> LogField { LogField("DROP_SHA256", Array(digits.utf8)) }
  package static func reason(_ code: ReasonCode) -> LogField { LogField("DROP_REASON", Array(code.rawValue.utf8)) }
  package static func outcome(_ outcome: Receipt.Outcome) -> LogField {
    LogField("DROP_OUTCOME", Array(outcome.rawValue.utf8))
  }
  package static func error(_ error: Errno) -> LogField { LogField("ERRNO", Array(String(error.number).utf8)) }
  package static func kind(_ kind: LogKind) -> LogField { LogField("MESSAGE_ID", Array(kind.rawValue.utf8)) }
}

/// The kind of a message: the same 128 bits in every release, so that rules and catalogs can refer to it.
package enum LogKind: String, Hashable, Sendable, CaseIterable {
  case started = "a3f1c97d52e84b0b9a64d1f6e05b7c10"
  case stopping = "a3f1c97d52e84b0b9a64d1f6e05b7c11"
  case reloaded = "a3f1c97d52e84b0b9a64d1f6e05b7c12"
  /// A reload failed, and the old configuration stays in force.
  case reloadRefused = "a3f1c97d52e84b0b9a64d1f6e05b7c13"
  case delivered = "a3f1c97d52e84b0b9a64d1f6e05b7c20"
  case rejected = "a3f1c97d52e84b0b9a64d1f6e05b7c21"
  case failed = "a3f1c97d52e84b0b9a64d1f6e05b7c22"
  case withdrawn = "a3f1c97d52e84b0b9a64d1f6e05b7c23"
  case handlerFailed = "a3f1c97d52e84b0b9a64d1f6e05b7c24"
  case zoneBlocked = "a3f1c97d52e84b0b9a64d1f6e05b7c30"
  case zoneResumed = "a3f1c97d52e84b0b9a64d1f6e05b7c31"
  case zoneUnavailable = "a3f1c97d52e84b0b9a64d1f6e05b7c32"
  /// Events were lost, and a scan replaces them.
  case eventsLost = "a3f1c97d52e84b0b9a64d1f6e05b7c33"
  case recovered = "a3f1c97d52e84b0b9a64d1f6e05b7c40"
}
