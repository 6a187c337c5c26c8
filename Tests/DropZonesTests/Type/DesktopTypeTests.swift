import DropEngine
import DropZones
import Support
import Testing

/// Checks that a zone determines the same types as the desktop's own tool, for honest files.
@Suite(.timeLimit(.minutes(1)), .enabled(if: RawPath("/usr/bin/xdg-mime").exists, "needs xdg-utils"))
struct DesktopTypeTests {
  @Test(arguments: [
    ("a.json", #"{"a":1}"#), ("a.html", "<!doctype html><p>a"), ("a.csv", "a,b\n1,2\n3,4\n"), ("a.txt", "a\n"),
    ("a.xml", "<?xml version=\"1.0\"?><a/>"), ("a.pdf", "%PDF-1.7\n%%EOF\n"), ("a.sh", "#!/bin/sh\ntrue\n"),
    ("a.svg", #"<svg xmlns="http://www.w3.org/2000/svg"/>"#), ("a.gif", "GIF89a\u{1}\0\u{1}\0\0\0\0;"),
    ("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nN:a\nEND:VCARD\n"), ("a.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n"),
  ])
  func `xdg-mime says the same`(name: String, content: String) async throws {
    let scratch = try ScratchDirectory()
    let path = try scratch.file(name, Array(content.utf8))
    let answer = try await Program.run(
      "/usr/bin/xdg-mime", ["query", "filetype", RawPath(path)], environment: ["XDG_CURRENT_DESKTOP": "GNOME"])
    let said = answer.output.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    let file = try await DroppedFile(importingFile: path)
    #expect(ContentType(said) == file.type, "xdg-mime says '\(said)', a zone \(file.type)")
    #expect(ContentType(filenameExtension: file.location.filenameExtension ?? "") == file.type)
  }
}
