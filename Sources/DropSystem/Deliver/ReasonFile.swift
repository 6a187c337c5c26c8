package import DropEngine
internal import FoundationEssentials

/// The file next to a reject that says why it was refused: its receipt, as `NAME.reason.json`.
package enum ReasonFile {
  package static let suffix = ".reason.json"

  package static func name(beside name: RawPath) -> RawPath {
    RawPath(bytes: name.bytes + suffix.utf8)
  }

  /// Writes the file under a temporary name and renames it into place. Only a file with the same ID is replaced.
  package static func write(
    _ receipt: Receipt, for id: DropID, beside name: RawPath, in directory: Directory, durable: Bool
  ) throws(FileError) {
    let isThere = isOwn(id, beside: name, in: directory)
    let temporary = RawPath(".dropzone-\(id).reason")
    let file = try directory.open(temporary, [.create, .truncate, .writeOnly, .noFollow], mode: 0o644)
    do throws(FileError) {
      try naming(.write, file.path) { () throws(Errno) in
        try file.descriptor.write(text(receipt))
        if durable { try file.descriptor.sync() }
      }
      let own = self.name(beside: name)
      if isThere {
        try directory.rename(temporary, to: own, in: directory, replacing: true)
      } else {
        try directory.renameReplacingNothing(temporary, to: own, in: directory)
      }
      // It is on the disk before the reject can be, so that no reject ever lacks its reason.
      if durable { try directory.syncWherePossible() }
    } catch {
      try? directory.unlink(temporary)
      throw error
    }
  }

  /// Removes the file if it has this ID. It was written for a name that the payload did not get in the end.
  package static func remove(of id: DropID, beside name: RawPath, in directory: Directory) {
    guard isOwn(id, beside: name, in: directory) else { return }
    try? directory.unlink(self.name(beside: name))
  }

  /// Whether the reason file of `name` has this ID, for example because it could not be removed.
  package static func isOwn(_ id: DropID, beside name: RawPath, in directory: Directory) -> Bool {
    guard
      let file = try? directory.open(self.name(beside: name), [.readOnly, .noFollow, .nonBlocking]),
      let bytes = try? file.descriptor.read(at: 0, count: 1 << 20)
    else { return false }
    return self.id(in: bytes) == id.description
  }

  /// The ID in a reason file; nil if it is not a reason file.
  package static func id(in bytes: [UInt8]) -> String? {
    (try? JSONDecoder().decode(Identified.self, from: Data(bytes)))?.id
  }

  private struct Identified: Decodable {
    var id: String
  }

  private static func text(_ receipt: Receipt) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return ((try? encoder.encode(receipt)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
  }
}
