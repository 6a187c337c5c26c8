internal import DropEngine

/// A key of zone files: its name, and how to put its value into the settings.
struct ZoneKey: Sendable {
  let name: String
  let read: @Sendable (SettingValue, inout ZoneSettings) throws(BadValue) -> Void
  /// Sets the default. An empty value means the default, so that a drop-in can remove a value.
  let reset: @Sendable (inout ZoneSettings) -> Void

  init<Value>(
    _ name: String, _ path: any WritableKeyPath<ZoneSettings, Value> & Sendable,
    _ value: @escaping @Sendable (SettingValue) throws -> Value
  ) {
    self.name = name
    // Otherwise, every closure in the tables would have to declare its error type.
    read = { (setting, settings) throws(BadValue) in
      do {
        settings[keyPath: path] = try value(setting)
      } catch {
        throw error as? BadValue ?? BadValue("cannot be read: \(error)")
      }
    }
    reset = { $0[keyPath: path] = ZoneKey.defaults[keyPath: path] }
  }

  /// Creates a key that is not supported yet: it may be empty, and any other value is an error.
  init(_ name: String, later instead: String) {
    self.name = name
    read = { (_, _) throws(BadValue) in throw BadValue("is not supported yet; \(instead)") }
    reset = { _ in }
  }

  /// The defaults, with empty paths; `ZoneFile` checks that the paths are given.
  static let defaults = ZoneSettings(name: "", path: "", box: "", rejects: "")
}

/// A group of zone files.
struct ZoneGroup: Sendable {
  let name: String
  let keys: [ZoneKey]

  static let all = [zone, accept, staging, handler, delivery]
}
