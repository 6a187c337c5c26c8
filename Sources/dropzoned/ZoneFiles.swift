internal import DropEngine
internal import DropSystem

/// The zones of a configuration directory: `zones/NAME.zone`, each with drop-ins in `zones/NAME.zone.d/*.conf`.
enum ZoneFiles {
  /// Reads all of them, and throws all that is wrong with any.
  ///
  /// - Parameters:
  ///   - directory: The configuration directory, above `zones`.
  ///   - searchPath: Where commands without a slash are looked for: PATH.
  ///   - validateType: Says what is wrong with an entry of `Types=`, and names it; nil when nothing is.
  static func load(
    from directory: String, searchPath: String? = nil, validateType: @escaping (String) -> String?
  ) throws(ConfigurationErrors) -> ZoneConfiguration {
    try load(from: directory, ConfigurationOutside(typeProblem: validateType, searchPath: searchPath))
  }

  static func load(
    from directory: String, _ outside: ConfigurationOutside
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
        ? "there is no such directory; make it, and write a zone as NAME.zone into it"
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
              "a zone's name is 1 to \(nameLimit) ASCII letters, digits, '.', '_', '-', '+' or '@', a letter or digit first"
          ))
        continue
      }
      files.append(read(zone, at: path, outside))
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

  /// The name, where it may be one: it stands in commands, in the environment of handlers and in names of files.
  static func zoneName(_ stem: RawPath) -> String? {
    guard stem.bytes.count <= nameLimit, let first = stem.bytes.first, first.isNameByte, !".-_+@".utf8.contains(first),
      stem.bytes.allSatisfy(\.isNameByte)
    else { return nil }
    return stem.string
  }

  private static func read(_ name: String, at path: RawPath, _ outside: ConfigurationOutside) -> ZoneFile {
    var file = ZoneFile(name: name, file: path.description, outside: outside)
    file.read(path)
    let dropIns = RawPath(bytes: path.bytes + Array(".d".utf8))
    do {
      for dropIn in try ConfigurationFiles.names(in: dropIns) {
        if dropIn.fileExtension == "conf" {
          file.read(dropIns.appending(dropIn))
        } else if !isLeftover(dropIn) {
          file.warnings.append(
            ConfigurationError(
              file: dropIns.appending(dropIn).description, problem: "it is not read: a drop-in's name ends in '.conf'"))
        }
      }
    } catch  where error.errno == .noEntry {
      // Most zones have none.
    } catch {
      file.fail(ConfigurationError(file: dropIns.description, problem: "it cannot be read: \(error.errno)"))
    }
    file.finish()
    return file
  }

  /// What lies among the zone files and is none.
  private static func strays(_ names: [RawPath], in directory: RawPath) -> [ConfigurationError] {
    let known = Set(names)
    return names.compactMap { name in
      let path = directory.appending(name).description
      if name.fileExtension == "zone" || name == ".zone" { return nil }
      if name.fileExtension == "d", name.stem.fileExtension == "zone" {
        return known.contains(name.stem)
          ? nil : ConfigurationError(file: path, problem: "it is not read: there is no '\(name.stem)'")
      }
      return isLeftover(name)
        ? nil : ConfigurationError(file: path, problem: "it is not read: a zone file's name ends in '.zone'")
    }
  }

  /// What editors and package managers leave beside a file.
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

/// What was read: the zones in the order of their names, and what is odd about them.
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
