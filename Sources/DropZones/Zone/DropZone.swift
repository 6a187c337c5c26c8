package import DropEngine

/// A directory that accepts what is dropped into it.
///
///     DropZone("scans", at: "/srv/drop/scans", box: "/srv/box/scans")
///       .accept(types: [.pdf])
///       .dropDestination(forEach: DroppedFile.self) { file, session in
///         file.byteCount > 0 ? .accepted : .rejected("the scanner had no paper")
///       }
///
/// Whatever is put into the directory, by any means, is waited for until it is complete, typed by its content, and
/// moved into the box, or into the rejects with the reason beside it.
public struct DropZone: Zones, Identifiable {
  package var settings: ZoneSettings
  var actions = ZoneActions()

  /// Declares a zone, with an action for the files that were released together where one is given.
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
  ///   - onDrop: Whether the files are taken, all of them; throw a ``DropVerdict`` to say why not. Without it all are.
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

  /// Declares a zone whose payloads are values of a type; what cannot be read as one is refused.
  ///
  /// - Parameters:
  ///   - name: Tells it from the other zones of the daemon, also after a restart.
  ///   - path: The watched directory, absolute.
  ///   - box: Where accepted payloads end, absolute; made when it is missing and its parent allows.
  ///   - rejects: Where refused payloads end; `box` with `.rejects` appended unless said.
  ///   - payloadType: What payloads are read as.
  ///   - title: What the idle zone says.
  ///   - hint: What it says while something arrives.
  ///   - systemImage: The name of a symbol, for who draws the zone.
  ///   - tint: Its colour while something arrives.
  ///   - onDrop: Whether the values that were released together are taken, all of them.
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

  /// The name it was declared with.
  public var name: String { settings.name }

  /// The same as its name.
  public var id: String { settings.name }

  /// What the idle zone says.
  public var title: String { settings.title }

  /// What it says while something arrives.
  public var hint: String { settings.hint }

  /// The name of its symbol.
  public var systemImage: String { settings.symbol }

  /// Its colour while something arrives.
  public var tint: Tint { Tint(known: settings.tint) }

  /// The zone itself.
  public var body: [DropZone] { [self] }
}

extension DropZone {
  /// The zone with something about it changed.
  func changing(_ change: (inout DropZone) -> Void) -> DropZone {
    var zone = self
    change(&zone)
    return zone
  }
}

extension DropZone {
  /// The colour of a zone that something arrives in.
  public struct Tint: Hashable, Sendable {
    /// The name that zone files use, or `#rrggbb`.
    public let name: String

    /// A colour by the name that zone files use, or `#rrggbb`; nil for any other text.
    public init?(_ name: String) {
      let isNumber = name.utf8.count == 7 && name.hasPrefix("#") && name.dropFirst().allSatisfy(\.isHexDigit)
      guard isNumber || Self.names.contains(name) else { return nil }
      self.name = name
    }

    fileprivate init(known name: String) {
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
