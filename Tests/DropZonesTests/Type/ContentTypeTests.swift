import DropEngine
import DropSystem
import DropZones
import Support
import Testing

@Suite struct ContentTypeTests {
  @Test func `a MIME type, its aliases and its public identifier are one type`() throws {
    let names = ["application/pdf", "application/x-pdf", "APPLICATION/PDF", "com.adobe.pdf", "COM.ADOBE.PDF"]
    for name in names { #expect(ContentType(name) == .pdf, "\(name)") }
    #expect(ContentType.pdf.identifier == "application/pdf")
    #expect(ContentType("text/xml") == .xml)
    #expect(Set(names.compactMap { ContentType($0) }).count == 1)
  }

  @Test func `every public identifier is known and declared`() {
    for identifier in PublicIdentifiers.all {
      let type = ContentType(identifier)
      #expect(type?.isDeclared == true, "\(identifier)")
    }
  }

  @Test func `every type with a name in the library is known`() {
    let file = Compiler.repository.appending("Sources/DropZones/Type/ContentType+Known.swift")
    let identifiers = file.lines().compactMap { $0.firstMatch(of: #/known\("(.+)"\)/#)?.output.1 }
    #expect(identifiers.count > 60 && Set(identifiers).count == identifiers.count)
    for identifier in identifiers { #expect(ContentType(String(identifier)) != nil, "\(identifier)") }
    #expect(ContentType.threeDContent.identifier == "public.3d-content")
  }

  @Test(arguments: ["", "jsn", "public.jsn", "application/nobody-knows", "a/b/c", "image/*", "text/plain+", "dyn."])
  func `an undeclared identifier is not a type`(name: String) {
    #expect(ContentType(name) == nil)
  }

  @Test func `types have extensions, MIME types, descriptions and icons`() {
    let usual: [(ContentType, String)] = [
      (.jpeg, "jpg"), (.mpeg4Movie, "mp4"), (.xml, "xml"), (.midi, "mid"), (.plainText, "txt"), (.html, "html"),
    ]
    for (type, suffix) in usual { #expect(type.preferredFilenameExtension == suffix) }
    #expect(ContentType.jpeg.tags[.filenameExtension]?.contains("jpeg") == true)
    #expect(ContentType.jpeg.tags[.mimeType]?.first == "image/jpeg")
    #expect(ContentType.jpeg.tags[.mimeType]?.contains("image/pjpeg") == true)
    #expect(ContentType.pdf.preferredMIMEType == "application/pdf")
    #expect(ContentType.pdf.localizedDescription?.isEmpty == false)
    #expect(ContentType.png.iconName == "image-png")
    #expect(ContentType.image.iconName == "image-x-generic")
    #expect(ContentType.image.tags.isEmpty && ContentType.image.preferredMIMEType == nil)
  }

  @Test func `an extension stands for the most likely type that conforms to the supertype`() {
    #expect(ContentType(filenameExtension: "png") == .png)
    #expect(ContentType(filenameExtension: "PNG") == .png)
    #expect(ContentType(filenameExtension: "png", conformingTo: .image) == .png)
    #expect(ContentType(filenameExtension: "csv", conformingTo: .text) == .commaSeparatedText)
    for none in ["", "a/b", "a\0"] { #expect(ContentType(filenameExtension: none) == nil) }
  }

  @Test func `an undeclared type is dynamic, and conforms to the requested supertype`() throws {
    let named = try #require(ContentType(filenameExtension: "unheardof", conformingTo: .image))
    #expect(named.isDynamic && !named.isDeclared)
    #expect(named.conforms(to: .image) && named.conforms(to: .data) && !named.conforms(to: .text))
    #expect(named.preferredFilenameExtension == "unheardof" && named.preferredMIMEType == nil)
    #expect(ContentType(named.identifier) == named)
    let sound = try #require(ContentType(filenameExtension: "png", conformingTo: .audio))
    #expect(sound.isDynamic && sound != .png)
    let mime = try #require(ContentType(mimeType: "Application/Nobody-Knows"))
    #expect(mime.isDynamic && mime.identifier == "application/nobody-knows" && mime.conforms(to: .data))
    #expect(ContentType(mimeType: "text/nobody-knows")?.conforms(to: .text) == true)
    #expect(ContentType(mimeType: "no type") == nil && ContentType(mimeType: "a/b; c=d") == nil)
  }

  @Test func `an identifier that is not in the database is escaped for display`() throws {
    let type = try #require(ContentType(filenameExtension: "a\u{1B}[31m"))
    #expect("\(type)" == "dyn.a\\u{1B}[31m")
  }

  @Test func `a program's own type carries its declaration`() {
    let card = ContentType(exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card", "CRD"])
    #expect(card.isDeclared && !card.isDynamic && card.identifier == "com.example.card")
    #expect(card.conforms(to: card) && card.conforms(to: .json) && card.conforms(to: .text) && card.conforms(to: .item))
    #expect(!card.conforms(to: .xml) && !ContentType.json.conforms(to: card))
    #expect(card.isSubtype(of: .json) && !card.isSubtype(of: card) && ContentType.json.isSupertype(of: card))
    #expect(card.supertypes.isSuperset(of: [.json, .text, .data, .item]) && !card.supertypes.contains(card))
    #expect(card.tags == [.filenameExtension: ["card", "crd"]])
    #expect(card.iconName == ContentType.json.iconName && card.localizedDescription == nil)
    #expect(ContentType(exportedAs: "com.example.thing").supertypes.isSuperset(of: [.data, .item]))
    #expect(!ContentType(exportedAs: "com.example.tree", conformingTo: .directory).conforms(to: .data))
  }

  @Test func `a program's own type is also recognised by its MIME type`() throws {
    let card = ContentType(
      exportedAs: "com.example.card", conformingTo: .json, mimeType: "application/vnd.example.card")
    let mime = try #require(ContentType(mimeType: "application/vnd.example.card"))
    #expect(mime.conforms(to: card) && card.conforms(to: mime) && card.conforms(to: .json))
    #expect(card.preferredMIMEType == "application/vnd.example.card")
    let scalable = ContentType(exportedAs: "com.example.drawing", conformingTo: .data, mimeType: "image/svg+xml")
    #expect(scalable.conforms(to: .svg) && scalable.conforms(to: .xml) && scalable.conforms(to: .image))
    #expect(scalable.preferredFilenameExtension == "svg")
  }

  @Test func `what is known about the identifier of a program's own type also applies to it`() {
    let pdf = ContentType(exportedAs: "com.adobe.pdf", filenameExtensions: ["paper"])
    #expect(pdf == .pdf && pdf.conforms(to: .pdf) && ContentType.pdf.conforms(to: pdf))
    #expect(pdf.tags[.filenameExtension] == ["paper", "pdf"])
    #expect(ContentType(exportedAs: "public.image").conforms(to: .audio) == false)
    #expect(ContentType.png.conforms(to: ContentType(exportedAs: "public.image")))
  }

  @Test func `an imported type is the known type if there is one`() {
    #expect(ContentType(importedAs: "com.adobe.pdf", conformingTo: .image) == .pdf)
    let theirs = ContentType(importedAs: "com.example.theirs", conformingTo: .zip)
    #expect(theirs.conforms(to: .archive) && theirs.isDeclared)
  }

  @Test func `equality is by identifier`() {
    let one = ContentType(exportedAs: "com.example.card", conformingTo: .json)
    let other = ContentType(exportedAs: "com.example.card", conformingTo: .xml)
    #expect(one == other && Set([one, other]).count == 1 && one.id == other.id)
  }
}
