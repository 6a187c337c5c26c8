import DropEngine
import DropSystem

/// What a handler leaves in the hold of a payload that is gone from its name there: it was renamed, packed, or exchanged
/// for something else.
extension ZoneFlow {
  struct LeftInHold {
    /// A file to go on with, the payload itself before all others.
    var file: (entry: String, status: FileStatus)?
    /// Everything that has the payload's id.
    var names: [RawPath] = []

    var text: String {
      let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
      return names.count > 3 ? shown + " and \(names.count - 3) more" : shown
    }
  }

  nonisolated func leftInHold(of drop: Drop) throws(Errno) -> LeftInHold? {
    let hold = try Directory.open(drop.holdPath)
    var reader = try DirectoryReader(hold.number)
    var left = LeftInHold()
    let id = Array(drop.id.description.utf8)
    while let name = try reader.next() {
      guard name.bytes.starts(with: id), let status = try? FileStatus.read(at: name, in: hold.number) else { continue }
      left.names.append(name)
      guard status.kind == .regular, let entry = name.string else { continue }
      let isPayload = status.identity.matches(inode: drop.inode, birth: drop.birth)
      if left.file == nil || isPayload { left.file = (entry, status) }
    }
    return left.names.isEmpty ? nil : left
  }
}
