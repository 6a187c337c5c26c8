package import DropEngine

/// A directory that accepts files, and what becomes of them.
///
///     DropZone("scans", at: "/srv/drop/scans", box: "/srv/box/scans")
///       .accept(types: ["application/pdf"])
///       .staging(quiet: .seconds(5))
///
/// Whatever is put into the directory, by any means, is waited for until it is complete, typed by its content, and
/// moved into the box, or into the rejects with the reason beside it.
public struct DropZone: Zones, Identifiable, Sendable {
  package var settings: ZoneSettings

  /// Declares a zone.
  ///
  /// - Parameters:
  ///   - name: Tells it from the other zones of the daemon, also after a restart.
  ///   - path: The watched directory, absolute.
  ///   - box: Where accepted payloads end, absolute; made when it is missing and its parent allows.
  ///   - rejects: Where refused payloads end; `box` with `.rejects` appended unless said.
  ///   - title: What the idle zone says.
  ///   - hint: What it says while something arrives.
  ///   - systemImage: The name of a symbol, for who draws the zone.
  ///   - tint: Its colour while something arrives.
  public init(
    _ name: String, at path: String, box: String, rejects: String? = nil, title: String = "Drop here",
    hint: String = "Release to add", systemImage: String = "tray.and.arrow.down", tint: Tint = .blue
  ) {
    settings = ZoneSettings(name: name, path: path, box: box, rejects: rejects)
    settings.title = title
    settings.hint = hint
    settings.symbol = systemImage
    settings.tint = tint.name
  }

  package init(_ settings: ZoneSettings) {
    self.settings = settings
  }

  /// The name it was declared with.
  public var name: String { settings.name }

  /// The same as its name.
  public var id: String { settings.name }

  /// The zone itself.
  public var body: [DropZone] { [self] }
}

extension DropZone {
  /// The colour of a zone that something arrives in.
  public struct Tint: Hashable, Sendable {
    let name: String

    /// A colour by the name that zone files use, or `#rrggbb`; nil for any other text.
    public init?(_ name: String) {
      let isNumber = name.utf8.count == 7 && name.hasPrefix("#") && name.dropFirst().allSatisfy(\.isHexDigit)
      guard isNumber || Self.names.contains(name) else { return nil }
      self.name = name
    }

    private init(known name: String) {
      self.name = name
    }

    private static let names = ["blue", "red", "orange", "yellow", "green", "teal", "purple", "pink", "gray"]

    /// Blue, which a zone has unless another is said.
    public static let blue = Tint(known: "blue")
    /// Red.
    public static let red = Tint(known: "red")
    /// Orange.
    public static let orange = Tint(known: "orange")
    /// Yellow.
    public static let yellow = Tint(known: "yellow")
    /// Green.
    public static let green = Tint(known: "green")
    /// Teal.
    public static let teal = Tint(known: "teal")
    /// Purple.
    public static let purple = Tint(known: "purple")
    /// Pink.
    public static let pink = Tint(known: "pink")
    /// Gray.
    public static let gray = Tint(known: "gray")
  }
}
