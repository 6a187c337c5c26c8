/// Creates zip files, both good and bad ones.
enum ZipFile {
  /// Returns a complete zip file with uncompressed members of these names, in this order.
  static func bytes(_ names: String..., mimeType: String = "application/epub+zip", comment: [UInt8] = []) -> [UInt8] {
    bytes(members: names.map { ($0, [UInt8]($0 == "mimetype" ? mimeType : "<x/><x/><x/><x/>")) }, comment: comment)
  }

  static func bytes(members: [(name: String, content: [UInt8])], comment: [UInt8] = []) -> [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in members {
      let offset = file.count
      let shared: [UInt8] =
        .zeros(8) + .zeros(4) + .init(content.count, count: 4) + .init(content.count, count: 4)
        + .init(name.utf8.count, count: 2) + .zeros(2)
      file += [UInt8]("PK\u{3}\u{4}") + [20, 0] + shared + [UInt8](name) + content
      directory +=
        [UInt8]("PK\u{1}\u{2}") + [20, 0, 20, 0] + shared + .zeros(10) + .init(offset, count: 4) + [UInt8](name)
    }
    let end: [UInt8] =
      [UInt8]("PK\u{5}\u{6}") + .zeros(4) + .init(members.count, count: 2) + .init(members.count, count: 2)
      + .init(directory.count, count: 4) + .init(file.count, count: 4) + .init(comment.count, count: 2)
    return file + directory + end + comment
  }
}
