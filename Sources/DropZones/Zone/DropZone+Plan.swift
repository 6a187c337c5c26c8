import DropEngine
import DropFlow
import DropSystem

/// Prepares a declared zone for the flow.
extension DropZone {
  /// Whether opening it again would change nothing. Functions cannot be compared, so a zone with functions is never the same.
  func isSame(as other: DropZone) -> Bool {
    settings == other.settings && actions.isEmpty && other.actions.isEmpty
      && actions.acceptedTypes == other.actions.acceptedTypes
  }

  /// Returns a plan with the settings and functions of the zone.
  func plan(typer: ContentTyper, pool: BlockingPool) throws -> ZonePlan {
    var settings = settings
    var patterns: [TypePattern] = []
    for type in settings.accept.types { patterns.append(try typer.pattern(type)) }
    var own: OwnTypes?
    if settings.accept.types.isEmpty, let types = actions.types {
      settings.accept.types = types.map(\.identifier)
      let known = types.filter { !$0.isOwn }
      patterns = known.map { TypePattern(conformingTo: $0.recognized.identifier, in: typer.hierarchy) }
      own = .declared(types.filter(\.isOwn))
    }
    return try ZonePlan(
      settings: settings, types: patterns, ownTypes: own, handler: handler(pool),
      configuration: actions.configuration.map {
        SessionConfiguration(configuration: $0, declaredTypes: actions.declaredTypes)
      },
      watcher: SessionWatcher(actions, pool: pool))
  }

  private func handler(_ pool: BlockingPool) -> (any DropHandler)? {
    if let command = settings.handler.command {
      switch settings.handler.mode {
      case .once: return CommandHandler(command: command, timeout: settings.handler.timeout)
      case .stream: return StreamHandler(command: command, zone: settings.name, timeout: settings.handler.timeout)
      }
    }
    guard !actions.destinations.isEmpty else { return nil }
    return FunctionHandler(
      destinations: actions.destinations, declaredTypes: actions.declaredTypes, timeout: settings.handler.timeout,
      box: settings.box, pool: pool)
  }
}

extension OwnTypes {
  /// The types that only the program declares, which are recognised by the name and the type of the content.
  fileprivate static func declared(_ types: [ContentType]) -> OwnTypes? {
    guard !types.isEmpty else { return nil }
    return OwnTypes { typed, name in
      let declared = DeclaredType(typed, name: DropPath(name), among: types)
      return types.contains { declared.type.conforms(to: $0) }
    } isClaimed: { name in
      let suffix = DropPath(name).filenameExtension?.lowercased()
      return types.contains { type in suffix.map { type.tags[.filenameExtension]?.contains($0) == true } ?? false }
    }
  }
}

extension ContentType {
  /// Whether it is recognised by the program's declaration, and not by the database.
  fileprivate var isOwn: Bool { declaration != nil && recognized == self }
}
