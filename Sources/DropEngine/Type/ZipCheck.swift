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

  private init(_ type: String, or alternatives: Set<String> = []) {
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

  /// Office Open XML has a list of content types, and a folder with the parts of one application.
  private static func office(_ zip: ZipDirectory) -> ZipCheck? {
    guard zip.has("[content_types].xml") else { return nil }
    let open = "application/vnd.openxmlformats-officedocument."
    var found: [ZipCheck] = []
    if zip.hasMember(in: "word/") {
      found.append(
        zip.has("word/vbaproject.bin")
          ? ZipCheck(
            "application/vnd.ms-word.document.macroEnabled.12", or: ["application/vnd.ms-word.template.macroEnabled.12"]
          )
          : ZipCheck(open + "wordprocessingml.document", or: [open + "wordprocessingml.template"]))
    }
    if zip.hasMember(in: "xl/") {
      if zip.has("xl/workbook.bin") {
        found.append(ZipCheck("application/vnd.ms-excel.sheet.binary.macroEnabled.12"))
      } else if zip.has("xl/vbaproject.bin") {
        found.append(
          ZipCheck(
            "application/vnd.ms-excel.sheet.macroEnabled.12",
            or: ["application/vnd.ms-excel.template.macroEnabled.12", "application/vnd.ms-excel.addin.macroEnabled.12"])
        )
      } else {
        found.append(ZipCheck(open + "spreadsheetml.sheet", or: [open + "spreadsheetml.template"]))
      }
    }
    if zip.hasMember(in: "ppt/") {
      let macros = "application/vnd.ms-powerpoint."
      found.append(
        zip.has("ppt/vbaproject.bin")
          ? ZipCheck(
            macros + "presentation.macroEnabled.12",
            or: Set(["template", "slideshow", "slide", "addin"].map { macros + $0 + ".macroEnabled.12" }))
          : ZipCheck(
            open + "presentationml.presentation",
            or: Set(["template", "slideshow", "slide"].map { open + "presentationml." + $0 })))
    }
    if zip.hasMember(in: "visio/") {
      let visio = "application/vnd.ms-visio."
      let kinds = ["drawing", "template", "stencil"]
      found.append(
        zip.has("visio/vbaproject.bin")
          ? ZipCheck(
            visio + "drawing.macroEnabled.main+xml", or: Set(kinds.map { visio + $0 + ".macroEnabled.main+xml" }))
          : ZipCheck(visio + "drawing.main+xml", or: Set(kinds.map { visio + $0 + ".main+xml" })))
    }
    if zip.hasMember(endingIn: ".fdseq") {
      found.append(ZipCheck("application/vnd.ms-xpsdocument", or: ["application/oxps"]))
    }
    if zip.hasMember(in: "3d/") { found.append(ZipCheck("model/3mf")) }
    // With parts of two applications, it is unclear which one a reader would open, so it counts as neither.
    return found.count == 1 ? found.first : nil
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
