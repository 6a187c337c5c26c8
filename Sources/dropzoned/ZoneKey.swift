internal import DropEngine

/// One key of a zone file: its name, and how its value gets into the settings.
struct ZoneKey: Sendable {
  let name: String
  let read: @Sendable (SettingValue, inout ZoneSettings) throws(BadValue) -> Void
  /// Sets what stands when nothing is written; an empty value means this, so that a drop-in can take a value back.
  let reset: @Sendable (inout ZoneSettings) -> Void

  init<Value>(
    _ name: String, _ path: any WritableKeyPath<ZoneSettings, Value> & Sendable,
    _ value: @escaping @Sendable (SettingValue) throws -> Value
  ) {
    self.name = name
    // A closure's own error type would have to be spelt out in every line of the tables.
    read = { (setting, settings) throws(BadValue) in
      do {
        settings[keyPath: path] = try value(setting)
      } catch {
        throw error as? BadValue ?? BadValue("cannot be read: \(error)")
      }
    }
    reset = { $0[keyPath: path] = ZoneKey.defaults[keyPath: path] }
  }

  /// A key that is known, may stand empty, and is refused with anything else.
  init(_ name: String, later instead: String) {
    self.name = name
    read = { (_, _) throws(BadValue) in throw BadValue("is not supported yet; \(instead)") }
    reset = { _ in }
  }

  /// Empty paths: whoever reads a zone file looks whether they were given.
  static let defaults = ZoneSettings(name: "", path: "", box: "", rejects: "")
}

/// One group of a zone file.
struct ZoneGroup: Sendable {
  let name: String
  let keys: [ZoneKey]

  static let all = [zone, accept, staging, handler, delivery]
}
