package import DropEngine

/// One field of a log record beside its message; in the journal it can be searched for.
package struct LogField: Hashable, Sendable {
  /// As the journal wants it: capital letters, digits and underscores.
  package let name: String
  /// Exact, whatever it is made of.
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

/// What kind of message a record is: the same 128 bits in every release, so that rules and catalogues can name them.
package enum LogKind: String, Hashable, Sendable, CaseIterable {
  case started = "a3f1c97d52e84b0b9a64d1f6e05b7c10"
  case stopping = "a3f1c97d52e84b0b9a64d1f6e05b7c11"
  case reloaded = "a3f1c97d52e84b0b9a64d1f6e05b7c12"
  /// A reload that left the old configuration in force.
  case reloadRefused = "a3f1c97d52e84b0b9a64d1f6e05b7c13"
  case delivered = "a3f1c97d52e84b0b9a64d1f6e05b7c20"
  case rejected = "a3f1c97d52e84b0b9a64d1f6e05b7c21"
  case failed = "a3f1c97d52e84b0b9a64d1f6e05b7c22"
  case withdrawn = "a3f1c97d52e84b0b9a64d1f6e05b7c23"
  case handlerFailed = "a3f1c97d52e84b0b9a64d1f6e05b7c24"
  case zoneBlocked = "a3f1c97d52e84b0b9a64d1f6e05b7c30"
  case zoneResumed = "a3f1c97d52e84b0b9a64d1f6e05b7c31"
  case zoneUnavailable = "a3f1c97d52e84b0b9a64d1f6e05b7c32"
  /// Events were lost, and a scan makes up for it.
  case eventsLost = "a3f1c97d52e84b0b9a64d1f6e05b7c33"
  case recovered = "a3f1c97d52e84b0b9a64d1f6e05b7c40"
}
