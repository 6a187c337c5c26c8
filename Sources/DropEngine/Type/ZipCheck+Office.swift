extension ZipCheck {
  private static let openXML = "application/vnd.openxmlformats-officedocument."

  /// Office Open XML has a list of content types, and a folder with the parts of one application.
  static func office(_ zip: ZipDirectory) -> ZipCheck? {
    guard zip.has("[content_types].xml") else { return nil }
    var found: [ZipCheck] = []
    if zip.hasMember(in: "word/") { found.append(word(zip)) }
    if zip.hasMember(in: "xl/") { found.append(excel(zip)) }
    if zip.hasMember(in: "ppt/") { found.append(powerPoint(zip)) }
    if zip.hasMember(in: "visio/") { found.append(visio(zip)) }
    if zip.hasMember(endingIn: ".fdseq") {
      found.append(ZipCheck("application/vnd.ms-xpsdocument", or: ["application/oxps"]))
    }
    if zip.hasMember(in: "3d/") { found.append(ZipCheck("model/3mf")) }
    // With parts of two applications, it is unclear which one a reader would open, so it counts as neither.
    return found.count == 1 ? found.first : nil
  }

  private static func word(_ zip: ZipDirectory) -> ZipCheck {
    let macros = "application/vnd.ms-word."
    if zip.has("word/vbaproject.bin") {
      return ZipCheck(macros + "document.macroEnabled.12", or: [macros + "template.macroEnabled.12"])
    }
    return ZipCheck(openXML + "wordprocessingml.document", or: [openXML + "wordprocessingml.template"])
  }

  private static func excel(_ zip: ZipDirectory) -> ZipCheck {
    let macros = "application/vnd.ms-excel."
    if zip.has("xl/workbook.bin") { return ZipCheck(macros + "sheet.binary.macroEnabled.12") }
    if zip.has("xl/vbaproject.bin") {
      return ZipCheck(
        macros + "sheet.macroEnabled.12", or: [macros + "template.macroEnabled.12", macros + "addin.macroEnabled.12"])
    }
    return ZipCheck(openXML + "spreadsheetml.sheet", or: [openXML + "spreadsheetml.template"])
  }

  private static func powerPoint(_ zip: ZipDirectory) -> ZipCheck {
    let macros = "application/vnd.ms-powerpoint."
    if zip.has("ppt/vbaproject.bin") {
      return ZipCheck(
        macros + "presentation.macroEnabled.12",
        or: Set(["template", "slideshow", "slide", "addin"].map { macros + $0 + ".macroEnabled.12" }))
    }
    return ZipCheck(
      openXML + "presentationml.presentation",
      or: Set(["template", "slideshow", "slide"].map { openXML + "presentationml." + $0 }))
  }

  private static func visio(_ zip: ZipDirectory) -> ZipCheck {
    let prefix = "application/vnd.ms-visio."
    let kinds = ["drawing", "template", "stencil"]
    let suffix = zip.has("visio/vbaproject.bin") ? ".macroEnabled.main+xml" : ".main+xml"
    return ZipCheck(prefix + "drawing" + suffix, or: Set(kinds.map { prefix + $0 + suffix }))
  }
}
