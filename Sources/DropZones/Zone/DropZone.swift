package import DropEngine

/// A directory that accepts dropped files.
///
///     DropZone("scans", at: "/srv/drop/scans", box: "/srv/box/scans")
///       .accept(types: [.pdf])
///       .dropDestination(forEach: DroppedFile.self) { file, session in
///         file.byteCount > 0 ? .accepted : .rejected("the scanner had no paper")
///       }
///
/// The zone waits until a file in the directory is complete, however it got there, and determines its type from its
/// content. Then it moves the file into the box, or into the rejects with the reason beside it.
public struct DropZone: Zones, Identifiable {
  package var settings: ZoneSettings
  var actions = ZoneActions()

  /// Declares a zone, optionally with an action for the files that were released together.
  ///
  /// - Parameters:
  ///   - name: The name of the zone, which identifies it, also after a restart.
  ///   - path: The absolute path of the watched directory.
  ///   - box: The absolute path of the directory for accepted payloads. It is created if its parent allows this.
  ///   - rejects: The directory for refused payloads. The default is `box` with `.rejects` appended.
  ///   - title: The text that is shown while the zone is idle.
  ///   - hint: The text that is shown while something is arriving.
  ///   - systemImage: The name of a symbol, for programs that draw the zone.
  ///   - tint: The zone's colour while something is arriving.
  ///   - onDrop: Returns whether all the files are accepted; throw a ``DropVerdict`` to give a reason. Without it, all are.
  public init(
    _ name: String, at path: String, box: String, rejects: String? = nil, title: String = "Drop here",
    hint: String = "Release to add", systemImage: String = "tray.and.arrow.down", tint: Tint = .blue,
    onDrop: (@concurrent @Sendable (_ files: [DroppedFile]) async throws -> Bool)? = nil
  ) {
    settings = ZoneSettings(name: name, path: path, box: box, rejects: rejects)
    settings.title = title
    settings.hint = hint
    settings.symbol = systemImage
    settings.tint = tint.name
    if let onDrop { actions.destinations = [ZoneDestination(of: [.item], onDrop)] }
  }

  /// Declares a zone whose payloads are values of a type. Files that cannot be read as this type are refused.
  ///
  /// - Parameters:
  ///   - name: The name of the zone, which identifies it, also after a restart.
  ///   - path: The absolute path of the watched directory.
  ///   - box: The absolute path of the directory for accepted payloads. It is created if its parent allows this.
  ///   - rejects: The directory for refused payloads. The default is `box` with `.rejects` appended.
  ///   - payloadType: The type that payloads are read as.
  ///   - title: The text that is shown while the zone is idle.
  ///   - hint: The text that is shown while something is arriving.
  ///   - systemImage: The name of a symbol, for programs that draw the zone.
  ///   - tint: The zone's colour while something is arriving.
  ///   - onDrop: Returns whether all the values that were released together are accepted.
  public init<Payload: Transferable>(
    _ name: String, at path: String, box: String, rejects: String? = nil, for payloadType: Payload.Type,
    title: String = "Drop here", hint: String = "Release to add", systemImage: String = "tray.and.arrow.down",
    tint: Tint = .blue, onDrop: @escaping @concurrent @Sendable (_ payloads: [Payload]) async throws -> Bool
  ) {
    self.init(
      name, at: path, box: box, rejects: rejects, title: title, hint: hint, systemImage: systemImage, tint: tint)
    actions.destinations = [ZoneDestination(for: payloadType) { payloads, _ in try await onDrop(payloads) }]
  }

  package init(_ settings: ZoneSettings) {
    self.settings = settings
  }

  /// The name of the zone.
  public var name: String { settings.name }

  /// The same as its name.
  public var id: String { settings.name }

  /// The text that is shown while the zone is idle.
  public var title: String { settings.title }

  /// The text that is shown while something is arriving.
  public var hint: String { settings.hint }

  /// The name of the zone's symbol.
  public var systemImage: String { settings.symbol }

  /// The zone's colour while something is arriving.
  public var tint: Tint { Tint(known: settings.tint) }

  /// The zone itself.
  public var body: [DropZone] { [self] }
}

extension DropZone {
  /// Returns a copy of the zone with a change.
  func changing(_ change: (inout DropZone) -> Void) -> DropZone {
    var zone = self
    change(&zone)
    return zone
  }
}

extension DropZone {
  /// The colour of a zone while something is arriving.
  public struct Tint: Hashable, Sendable {
    /// The name of the colour in zone files, or `#rrggbb`.
    public let name: String

    /// Creates a colour from its name in zone files, or from `#rrggbb`; nil for any other text.
    public init?(_ name: String) {
      let isNumber = name.utf8.count == 7 && name.hasPrefix("#") && name.dropFirst().allSatisfy(\.isHexDigit)
      guard isNumber || Self.names.contains(name) else { return nil }
      self.name = name
    }

    fileprivate init(known name: String) {
      self.name = name
    }

    private static let names = ["blue", "red", "orange", "yellow", "green", "teal", "purple", "pink", "gray"]

    /// Blue, which is the default.
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
