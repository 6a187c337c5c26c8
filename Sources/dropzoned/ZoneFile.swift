internal import DropEngine
internal import DropSystem

/// Reads a zone file and its drop-ins into the settings of one zone.
struct ZoneFile {
  /// The name of the zone, which is the name of the file without `.zone`.
  let name: String
  let file: String
  private(set) var settings: ZoneSettings
  private(set) var errors: [ConfigurationError] = []
  var warnings: [ConfigurationError] = []
  /// The place where each key was last written, by `Group.Key`.
  private var origins: [String: ConfigurationError] = [:]
  /// Whether all files could be parsed. If not, keys that seem to be missing may be in the parts that could not be read.
  private var isComplete = true
  private let context: ConfigurationContext

  init(name: String, file: String, context: ConfigurationContext) {
    self.name = name
    self.file = file
    self.context = context
    settings = ZoneKey.defaults
    settings.name = name
  }

  /// Reads the zone file or one of its drop-ins, whose values replace earlier ones.
  mutating func read(_ path: RawPath) {
    let shown = path.description
    let contents: [UInt8]
    do {
      contents = try ConfigurationFiles.contents(of: path, limit: KeyFile.sizeLimit)
    } catch {
      isComplete = false
      let problem = error.errno == .invalid ? "it is not a regular file" : "it cannot be read: \(error.errno)"
      errors.append(ConfigurationError(file: shown, problem: problem))
      return
    }
    let keyFile: KeyFile
    do {
      keyFile = try KeyFile(parsing: contents)
    } catch {
      isComplete = false
      errors += error.problems.map { ConfigurationError(file: shown, line: $0.line, problem: $0.message) }
      return
    }
    for group in keyFile.groups { read(group, in: shown) }
  }

  private mutating func read(_ group: KeyFile.Group, in file: String) {
    guard let known = ZoneGroup.all.first(where: { $0.name == group.name }) else {
      errors.append(
        ConfigurationError(
          file: file, line: group.line, group: group.name, problem: "there is no such group",
          nearest: Spelling.nearest(to: group.name, among: ZoneGroup.all.map(\.name)).map { "[\($0)]" }))
      return
    }
    for entry in group.entries {
      let place = ConfigurationError(
        file: file, line: entry.line, group: known.name, key: entry.key, value: entry.value, problem: "")
      guard let key = known.keys.first(where: { $0.name == entry.key }) else {
        errors.append(Self.unknownKey(place, entry.key, in: known))
        continue
      }
      let id = "\(known.name).\(key.name)"
      origins[id] = place
      guard !entry.value.isEmpty else {
        key.reset(&settings)
        continue
      }
      do {
        try key.read(SettingValue(raw: entry.value, context: context), &settings)
      } catch {
        errors += error.problems.map { place.with(problem: $0.message, nearest: $0.nearest) }
      }
    }
  }

  private static func unknownKey(_ place: ConfigurationError, _ key: String, in group: ZoneGroup) -> ConfigurationError
  {
    if let other = ZoneGroup.all.first(where: { $0.keys.contains { $0.name == key } }) {
      return place.with(problem: "there is no such key in this group; it belongs in [\(other.name)]")
    }
    if let bracket = key.firstIndex(of: "["), group.keys.contains(where: { $0.name == key[..<bracket] }) {
      return place.with(problem: "translated values are not supported; write \(key[..<bracket])= instead")
    }
    if let nearest = Spelling.nearest(to: key, among: group.keys.map(\.name)) {
      return place.with(problem: "there is no such key", nearest: nearest + "=")
    }
    for other in ZoneGroup.all {
      if let nearest = Spelling.nearest(to: key, among: other.keys.map(\.name)) {
        return place.with(problem: "there is no such key", nearest: "\(nearest)=' in '[\(other.name)]")
      }
    }
    return place.with(
      problem: "there is no such key; [\(group.name)] has \(group.keys.map(\.name).joined(separator: ", "))")
  }

  /// Finishes reading: fills in derived values, and checks that the values go together.
  mutating func finish() {
    for key in ["Path", "Box"] where isComplete && !isWritten("Zone", key) {
      complain("Zone", key, "is missing; write an absolute path")
    }
    if !isWritten("Zone", "Rejects"), !settings.box.isEmpty {
      settings.rejects = settings.box + ".rejects"
    }
    if let least = settings.accept.minSize, let most = settings.accept.maxSize, least > most {
      complain("Accept", "MinSize", "is more than MaxSize=\(origins["Accept.MaxSize"]?.value ?? "")")
    }
    if settings.staging.quiet >= settings.staging.stalled {
      warn("Staging", "Quiet", "is not shorter than Stalled=, so files would stall before they can be released")
    }
    checkMarker()
    checkCommand()
  }

  private mutating func checkMarker() {
    guard let marker = settings.staging.marker,
      let lists = try? NameLists(ignore: settings.staging.ignore, temporary: settings.staging.temporary)
    else { return }
    switch lists.kind(of: RawPath("name" + marker)) {
    case .ordinary: break
    case .junk: complain("Staging", "Marker", "is the ending of names that are ignored")
    case .temporary: complain("Staging", "Marker", "is the ending of temporary names")
    }
  }

  /// Only warns about a missing program, because it may be installed later. Until then, the zone is blocked.
  private mutating func checkCommand() {
    guard let command = settings.handler.command, let program = command.first else { return }
    if !Executables.isExecutable(program) {
      warn(
        "Handler", "OnDrop",
        "'\(Escaping.escape(program))' does not exist or is not executable; the zone will be blocked")
    }
    if let sign = command.dropFirst().first(where: { ["|", "||", "&", "&&", ">", ">>", "<", "2>&1"].contains($0) }) {
      warn(
        "Handler", "OnDrop", "'\(sign)' is an ordinary argument, because there is no shell; write sh -c '…' to use one")
    }
  }

  /// Whether the key has a value, even a wrong one.
  private func isWritten(_ group: String, _ key: String) -> Bool {
    !(origins["\(group).\(key)"]?.value?.isEmpty ?? true)
  }

  /// Whether all directories of the zone are known.
  var hasPlaces: Bool { !settings.path.isEmpty && !settings.box.isEmpty && !settings.rejects.isEmpty }

  mutating func fail(_ error: ConfigurationError) {
    errors.append(error)
  }

  mutating func complain(_ group: String, _ key: String, _ problem: String) {
    errors.append(place(group, key).with(problem: problem))
  }

  private mutating func warn(_ group: String, _ key: String, _ problem: String) {
    warnings.append(place(group, key).with(problem: problem))
  }

  /// The place where the key was written, or where it should be.
  private func place(_ group: String, _ key: String) -> ConfigurationError {
    origins["\(group).\(key)"] ?? ConfigurationError(file: file, group: group, key: key, problem: "")
  }
}

extension ConfigurationError {
  fileprivate func with(problem: String, nearest: String? = nil) -> ConfigurationError {
    var error = self
    error.problem = problem
    error.nearest = nearest
    return error
  }
}
