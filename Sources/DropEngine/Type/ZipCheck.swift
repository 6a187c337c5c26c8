/// The type of a zip file, determined from its members.
package struct ZipCheck: Hashable, Sendable {
  /// The type that the members prove; `application/zip` if they prove none.
  package let type: String
  /// Other types that the same members may have.
  package let alternatives: Set<String>

  /// A zip file without a directory: it is truncated, or not really a zip file.
  package static let plain = ZipCheck(zip)

  /// Examines the directory, and the text of the member `mimetype`.
  package init(_ directory: ZipDirectory, mimeType: String?) {
    self = Self.declared(mimeType) ?? Self.office(directory) ?? Self.other(directory)
  }

  init(_ type: String, or alternatives: Set<String> = []) {
    self.type = type
    self.alternatives = alternatives
  }

  private static let zip = "application/zip"

  /// Whether the members can prove `type`. If they do not, a name cannot claim it either.
  package static func tells(_ type: String) -> Bool {
    let families = [
      "application/vnd.openxmlformats-officedocument.", "application/vnd.ms-", "application/vnd.oasis.",
      "application/vnd.sun.xml.",
    ]
    return others.contains(type) || families.contains { type.hasPrefix($0) }
  }

  private static let others: Set<String> = [
    "application/epub+zip", "image/openraster", "application/x-java-archive", "application/vnd.android.package-archive",
    "application/oxps", "model/3mf", "application/vnd.google-earth.kmz", "application/x-xpinstall",
    "application/vnd.openofficeorg.extension", "application/vnd.apple.pages", "application/vnd.apple.numbers",
    "application/vnd.apple.keynote", "application/vnd.apple.pkpass", "application/vnd.comicbook+zip",
    "application/x-zip-compressed-fb2",
  ]

  /// OpenDocument, EPUB and similar formats have a member with their type, anywhere in the file.
  private static func declared(_ mimeType: String?) -> ZipCheck? {
    guard let mimeType else { return nil }
    let type = mimeType.filter { !$0.isWhitespace }
    let families = ["application/vnd.oasis.opendocument.", "application/vnd.sun.xml."]
    guard
      type == "application/epub+zip" || type == "image/openraster" || type == "application/x-krita"
        || families.contains(where: { type.hasPrefix($0) })
    else { return nil }
    return ZipCheck(type, or: type.hasPrefix("application/vnd.sun.xml.") ? [type + ".template"] : [])
  }

  private static func other(_ directory: ZipDirectory) -> ZipCheck {
    if directory.has("androidmanifest.xml") { return ZipCheck("application/vnd.android.package-archive") }
    if directory.has("meta-inf/manifest.mf") {
      return ZipCheck(
        "application/x-java-archive", or: directory.has("manifest.json") ? ["application/x-xpinstall"] : [])
    }
    var possible: Set<String> = []
    if directory.hasMember(endingIn: ".kml") { possible.insert("application/vnd.google-earth.kmz") }
    if directory.has("manifest.json") || directory.has("install.rdf") { possible.insert("application/x-xpinstall") }
    if directory.has("pass.json") { possible.insert("application/vnd.apple.pkpass") }
    if directory.hasMember(endingIn: ".fb2") { possible.insert("application/x-zip-compressed-fb2") }
    if directory.has("meta-inf/manifest.xml"), directory.has("description.xml") {
      possible.insert("application/vnd.openofficeorg.extension")
    }
    if directory.has("index.zip") || directory.hasMember(in: "index/") {
      possible.formUnion(["pages", "numbers", "keynote"].map { "application/vnd.apple." + $0 })
    }
    if directory.has("index.apxl") || directory.has("index.apxl.gz") {
      possible.insert("application/vnd.apple.keynote")
    }
    if directory.has("index.xml") || directory.has("index.xml.gz") {
      possible.formUnion(["application/vnd.apple.pages", "application/vnd.apple.numbers"])
    }
    if isPictures(directory) { possible.insert("application/vnd.comicbook+zip") }
    return ZipCheck(zip, or: possible)
  }

  /// A comic book has pictures, and at most a description.
  private static func isPictures(_ directory: ZipDirectory) -> Bool {
    let pictures: [StaticString] = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".jxl", ".bmp"]
    let asides: [StaticString] = [".xml", ".txt", ".nfo", "/"]
    func ends(_ entry: ZipDirectory.Entry, in suffixes: [StaticString]) -> Bool {
      suffixes.contains { entry.name.suffix($0.utf8CodeUnitCount).elementsEqual($0.description.utf8) }
    }
    return directory.entries.contains { ends($0, in: pictures) }
      && directory.entries.allSatisfy { ends($0, in: pictures) || ends($0, in: asides) }
  }
}
