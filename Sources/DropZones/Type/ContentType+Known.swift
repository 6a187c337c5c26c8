extension ContentType {
  /// Returns the type with a public identifier.
  private static func known(_ identifier: String) -> ContentType {
    // This cannot fail for the names below, which a test checks.
    ContentType(identifier) ?? ContentType(exportedAs: identifier)
  }
}

// MARK: - Roots of the hierarchy

extension ContentType {
  /// Anything that is in a directory.
  public static var item: ContentType { known("public.item") }
  /// Anything that people create.
  public static var content: ContentType { known("public.content") }
  /// A file with any content.
  public static var data: ContentType { known("public.data") }
  /// A directory.
  public static var directory: ContentType { known("public.directory") }
  /// The same as `directory`.
  public static var folder: ContentType { known("public.folder") }
}

// MARK: - Groups of types

extension ContentType {
  /// Pictures.
  public static var image: ContentType { known("public.image") }
  /// Audio.
  public static var audio: ContentType { known("public.audio") }
  /// Videos.
  public static var movie: ContentType { known("public.movie") }
  /// The same as `movie`.
  public static var video: ContentType { known("public.video") }
  /// Audio and video.
  public static var audiovisualContent: ContentType { known("public.audiovisual-content") }
  /// Fonts.
  public static var font: ContentType { known("public.font") }
  /// Files that contain other files.
  public static var archive: ContentType { known("public.archive") }
  /// Disk images.
  public static var diskImage: ContentType { known("public.disk-image") }
  /// Programs.
  public static var executable: ContentType { known("public.executable") }
  /// Text that is compiled or run.
  public static var sourceCode: ContentType { known("public.source-code") }
  /// Text that is run.
  public static var script: ContentType { known("public.script") }
  /// Spreadsheets.
  public static var spreadsheet: ContentType { known("public.spreadsheet") }
  /// Presentations.
  public static var presentation: ContentType { known("public.presentation") }
  /// Three-dimensional models.
  public static var threeDContent: ContentType { known("public.3d-content") }
}

// MARK: - Text and documents

extension ContentType {
  /// Text of any kind.
  public static var text: ContentType { known("public.text") }
  /// The same as `text`.
  public static var plainText: ContentType { known("public.plain-text") }
  /// The same as `text`, because text in different encodings is not distinguished.
  public static var utf8PlainText: ContentType { known("public.utf8-plain-text") }
  /// Comma-separated values.
  public static var commaSeparatedText: ContentType { known("public.comma-separated-values-text") }
  /// Tab-separated values.
  public static var tabSeparatedText: ContentType { known("public.tab-separated-values-text") }
  /// JSON.
  public static var json: ContentType { known("public.json") }
  /// GeoJSON.
  public static var geoJSON: ContentType { known("public.geojson") }
  /// XML.
  public static var xml: ContentType { known("public.xml") }
  /// YAML.
  public static var yaml: ContentType { known("public.yaml") }
  /// HTML.
  public static var html: ContentType { known("public.html") }
  /// JavaScript.
  public static var javaScript: ContentType { known("com.netscape.javascript-source") }
  /// Shell scripts.
  public static var shellScript: ContentType { known("public.shell-script") }
  /// Python.
  public static var pythonScript: ContentType { known("public.python-script") }
  /// Perl.
  public static var perlScript: ContentType { known("public.perl-script") }
  /// PHP.
  public static var phpScript: ContentType { known("public.php-script") }
  /// Ruby.
  public static var rubyScript: ContentType { known("public.ruby-script") }
  /// vCards.
  public static var vCard: ContentType { known("public.vcard") }
  /// Email messages.
  public static var emailMessage: ContentType { known("public.email-message") }
  /// Rich text.
  public static var rtf: ContentType { known("public.rtf") }
  /// PDF.
  public static var pdf: ContentType { known("com.adobe.pdf") }
  /// PostScript.
  public static var postScript: ContentType { known("com.adobe.postscript") }
  /// Electronic books.
  public static var epub: ContentType { known("org.idpf.epub-container") }
}

// MARK: - Pictures

extension ContentType {
  /// PNG.
  public static var png: ContentType { known("public.png") }
  /// JPEG.
  public static var jpeg: ContentType { known("public.jpeg") }
  /// HEIC; the same as HEIF, because the database does not distinguish them.
  public static var heic: ContentType { known("public.heic") }
  /// HEIF.
  public static var heif: ContentType { known("public.heif") }
  /// TIFF.
  public static var tiff: ContentType { known("public.tiff") }
  /// GIF.
  public static var gif: ContentType { known("com.compuserve.gif") }
  /// WebP.
  public static var webP: ContentType { known("org.webmproject.webp") }
  /// BMP.
  public static var bmp: ContentType { known("com.microsoft.bmp") }
  /// Windows icons.
  public static var ico: ContentType { known("com.microsoft.ico") }
  /// Apple icons.
  public static var icns: ContentType { known("com.apple.icns") }
  /// SVG.
  public static var svg: ContentType { known("public.svg-image") }
  /// Raw images from cameras.
  public static var rawImage: ContentType { known("public.camera-raw-image") }
}

// MARK: - Audio and video

extension ContentType {
  /// MP3.
  public static var mp3: ContentType { known("public.mp3") }
  /// WAV.
  public static var wav: ContentType { known("com.microsoft.waveform-audio") }
  /// AIFF.
  public static var aiff: ContentType { known("public.aiff-audio") }
  /// MIDI.
  public static var midi: ContentType { known("public.midi-audio") }
  /// MPEG-4 audio.
  public static var mpeg4Audio: ContentType { known("public.mpeg-4-audio") }
  /// MPEG-4.
  public static var mpeg4Movie: ContentType { known("public.mpeg-4") }
  /// MPEG.
  public static var mpeg: ContentType { known("public.mpeg") }
  /// MPEG-2 transport streams.
  public static var mpeg2TransportStream: ContentType { known("public.mpeg-2-transport-stream") }
  /// QuickTime.
  public static var quickTimeMovie: ContentType { known("com.apple.quicktime-movie") }
  /// AVI.
  public static var avi: ContentType { known("public.avi") }
}

// MARK: - Archives

extension ContentType {
  /// ZIP.
  public static var zip: ContentType { known("public.zip-archive") }
  /// gzip.
  public static var gzip: ContentType { known("org.gnu.gnu-zip-archive") }
  /// bzip2.
  public static var bz2: ContentType { known("public.bzip2-archive") }
}
