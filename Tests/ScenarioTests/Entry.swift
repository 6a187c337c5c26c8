import DropEngine
import Support

/// A file or directory in one of the directories at the end of a scenario.
struct Entry: Sendable {
  /// The kind, as in find(1): f, d, l, p …
  var kind: String
  var mode: UInt32
  var user: UInt32
  var group: UInt32
  var links: Int
  var inode: UInt64
  /// The number of blocks of 512 bytes.
  var blocks: Int64
  var bytes: Int64
  /// The modification time in seconds since 1970, with a fraction.
  var modified: Double
  /// The path relative to the directory.
  var path: RawPath
  var sha256: String?

  /// Reads the list that `dz_list NAME` wrote; nil if there is none.
  static func list(_ name: String, in work: RawPath) -> [Entry]? {
    guard let tree = try? work.appending(RawPath("tree." + name)).contents() else { return nil }
    var digests: [RawPath: String] = [:]
    for line in ((try? work.appending(RawPath("sums." + name)).contents()) ?? []).split(separator: 0) {
      // A line is "DIGEST  ./PATH".
      digests[RawPath(bytes: Array(line.dropFirst(68)))] = String(decoding: line.prefix(64), as: UTF8.self)
    }
    return tree.split(separator: 0).compactMap { record in
      let fields = record.split(separator: UInt8(ascii: "\t"), maxSplits: 9, omittingEmptySubsequences: false)
      guard fields.count == 10 else { return nil }
      func text(_ index: Int) -> String { String(decoding: fields[index], as: UTF8.self) }
      let path = RawPath(bytes: Array(fields[9]))
      return Entry(
        kind: text(0), mode: UInt32(text(1), radix: 8) ?? 0, user: UInt32(text(2)) ?? 0, group: UInt32(text(3)) ?? 0,
        links: Int(text(4)) ?? 0, inode: UInt64(text(5)) ?? 0, blocks: Int64(text(6)) ?? 0,
        bytes: Int64(text(7)) ?? 0, modified: Double(text(8)) ?? 0, path: path, sha256: digests[path])
    }
  }
}
