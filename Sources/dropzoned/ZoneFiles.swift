internal import DropEngine
internal import DropSystem

/// The zones of a configuration directory: `zones/NAME.zone`, each with drop-ins in `zones/NAME.zone.d/*.conf`.
enum ZoneFiles {
  /// Reads all zones, and throws all errors in any of them.
  ///
  /// - Parameters:
  ///   - directory: The configuration directory, which contains `zones`.
  ///   - searchPath: The value of PATH, in which to look for commands without a slash.
  ///   - validateType: Returns a message that names what is wrong with an entry of `Types=`; nil if it is valid.
  static func load(
    from directory: String, searchPath: String? = nil, validateType: @escaping (String) -> String?
  ) throws(ConfigurationErrors) -> ZoneConfiguration {
    try load(from: directory, ConfigurationContext(typeProblem: validateType, searchPath: searchPath))
  }

  static func load(
    from directory: String, _ context: ConfigurationContext
  ) throws(ConfigurationErrors) -> ZoneConfiguration {
    let zones = RawPath(directory).appending("zones")
    var warnings: [ConfigurationError] = []
    var errors: [ConfigurationError] = []
    let names: [RawPath]
    do {
      names = try ConfigurationFiles.names(in: zones)
    } catch {
      let problem =
        error.errno == .noEntry
        ? "there is no such directory; create it, and add a zone file NAME.zone"
        : "it cannot be read: \(error.errno)"
      throw ConfigurationErrors(errors: [ConfigurationError(file: zones.description, problem: problem)], warnings: [])
    }
    var files: [ZoneFile] = []
    for name in names where name.fileExtension == "zone" || name == ".zone" {
      let path = zones.appending(name)
      guard let zone = zoneName(name.stem) else {
        errors.append(
          ConfigurationError(
            file: path.description,
            problem:
              "a zone's name has 1 to \(nameLimit) ASCII letters, digits, '.', '_', '-', '+' or '@', and begins with a letter or digit"
          ))
        continue
      }
      files.append(read(zone, at: path, context))
    }
    warnings += strays(names, in: zones)
    if files.count > zoneLimit {
      errors.append(
        ConfigurationError(file: zones.description, problem: "there are more than \(zoneLimit) zones"))
    } else {
      checkOverlap(&files)
    }
    errors += files.flatMap(\.errors)
    warnings += files.flatMap(\.warnings)
    guard errors.isEmpty else { throw ConfigurationErrors(errors: errors, warnings: warnings) }
    return ZoneConfiguration(zones: files.map(\.settings), warnings: warnings)
  }

  private static let nameLimit = 64
  private static let zoneLimit = 1000

  /// Returns the name if it is valid. Names appear in commands, in the environment of handlers, and in file names.
  static func zoneName(_ stem: RawPath) -> String? {
    guard stem.bytes.count <= nameLimit, let first = stem.bytes.first, first.isNameByte, !".-_+@".utf8.contains(first),
      stem.bytes.allSatisfy(\.isNameByte)
    else { return nil }
    return stem.string
  }

  private static func read(_ name: String, at path: RawPath, _ context: ConfigurationContext) -> ZoneFile {
    var file = ZoneFile(name: name, file: path.description, context: context)
    file.read(path)
    let dropIns = RawPath(bytes: path.bytes + Array(".d".utf8))
    do {
      for dropIn in try ConfigurationFiles.names(in: dropIns) {
        if dropIn.fileExtension == "conf" {
          file.read(dropIns.appending(dropIn))
        } else if !isLeftover(dropIn) {
          file.warnings.append(
            ConfigurationError(
              file: dropIns.appending(dropIn).description,
              problem: "it is ignored: the name of a drop-in ends with '.conf'"))
        }
      }
    } catch  where error.errno == .noEntry {
      // Most zones have no drop-ins.
    } catch {
      file.fail(ConfigurationError(file: dropIns.description, problem: "it cannot be read: \(error.errno)"))
    }
    file.finish()
    return file
  }

  /// Warnings about other files among the zone files.
  private static func strays(_ names: [RawPath], in directory: RawPath) -> [ConfigurationError] {
    let known = Set(names)
    return names.compactMap { name in
      let path = directory.appending(name).description
      if name.fileExtension == "zone" || name == ".zone" { return nil }
      if name.fileExtension == "d", name.stem.fileExtension == "zone" {
        return known.contains(name.stem)
          ? nil : ConfigurationError(file: path, problem: "it is ignored: there is no '\(name.stem)'")
      }
      return isLeftover(name)
        ? nil : ConfigurationError(file: path, problem: "it is ignored: the name of a zone file ends with '.zone'")
    }
  }

  /// Whether a file was left behind by an editor or a package manager.
  private static func isLeftover(_ name: RawPath) -> Bool {
    name.bytes.first == .dot || name.bytes.last == UInt8(ascii: "~")
      || ["swp", "dpkg-old", "dpkg-dist", "dpkg-new", "ucf-dist", "rpmsave", "rpmnew"].contains(name.fileExtension)
  }

  private static func checkOverlap(_ files: inout [ZoneFile]) {
    let complete = files.indices.filter { files[$0].hasPlaces }
    for overlap in ZoneOverlap.all(in: complete.map { files[$0].settings }) {
      files[complete[overlap.zone]].complain("Zone", overlap.place.key, overlap.message)
    }
  }
}

/// The zones that were read, in the order of their names, and the warnings about them.
struct ZoneConfiguration: Hashable, Sendable {
  var zones: [ZoneSettings]
  var warnings: [ConfigurationError]
}

extension ZoneOverlap.Place {
  fileprivate var key: String {
    switch self {
    case .zone: "Path"
    case .box: "Box"
    case .rejects: "Rejects"
    case .hold: "Hold"
    }
  }
}

extension UInt8 {
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), .dot, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }
}
