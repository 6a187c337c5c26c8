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
    _ receipt: Receipt, for id: DropID, beside name: RawPath, in directory: Int32, durable: Bool
  ) throws(Errno) {
    let isThere = isOwn(id, beside: name, in: directory)
    let temporary = RawPath(".dropzone-\(id).reason")
    let file = try FileDescriptor.open(
      temporary, in: directory, [.create, .truncate, .writeOnly, .noFollow], mode: 0o644)
    do throws(Errno) {
      try file.write(text(receipt))
      if durable { try file.sync() }
      let own = self.name(beside: name)
      if isThere {
        try Directory.rename(temporary, in: directory, to: own, in: directory, replacing: true)
      } else {
        try Directory.renameReplacingNothing(temporary, in: directory, to: own, in: directory)
      }
      // It is on the disk before the reject can be, so that no reject ever lacks its reason.
      if durable { try Directory.syncWherePossible(directory) }
    } catch {
      try? Directory.unlink(temporary, in: directory)
      throw error
    }
  }

  /// Removes the file if it has this ID. It was written for a name that the payload did not get in the end.
  package static func remove(of id: DropID, beside name: RawPath, in directory: Int32) {
    guard isOwn(id, beside: name, in: directory) else { return }
    try? Directory.unlink(self.name(beside: name), in: directory)
  }

  /// Whether the reason file of `name` has this ID, for example because it could not be removed.
  package static func isOwn(_ id: DropID, beside name: RawPath, in directory: Int32) -> Bool {
    guard
      let file = try? FileDescriptor.open(
        self.name(beside: name), in: directory, [.readOnly, .noFollow, .nonBlocking]),
      let bytes = try? file.read(at: 0, count: 1 << 20)
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
