package import DropEngine

/// What is mounted where, as this process sees it: proc_pid_mountinfo(5).
package enum MountTable {
  /// The places of mounts below a directory, which is not among them.
  package static func places(below directory: RawPath) -> [RawPath] {
    guard let file = try? FileDescriptor.open("/proc/self/mountinfo", [.readOnly]),
      let table = try? file.read(at: 0, count: 4 << 20)
    else { return [] }
    return places(in: table, below: directory)
  }

  /// The same of a table that was read.
  package static func places(in table: [UInt8], below directory: RawPath) -> [RawPath] {
    let start = directory.bytes + [.slash]
    return table.split(separator: UInt8(ascii: "\n")).compactMap { line in
      // Numbers of the mount, its parent and its device, the part of the file system that is mounted, and where.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 4 else { return nil }
      let place = unescape(fields[4])
      return place.starts(with: start) ? RawPath(bytes: place) : nil
    }
  }

  /// White space and backslashes are written as three octal digits.
  private static func unescape(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3).map { $0 &- UInt8(ascii: "0") }
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ $0 < 8 }) {
        bytes.append(digits.reduce(0) { $0 &* 8 &+ $1 })
        rest.removeFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
