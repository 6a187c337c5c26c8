/// The functions that a program declares for a zone.
struct ZoneActions: Sendable {
  /// Where payloads go: the first destination whose types fit and whose import succeeds takes a payload.
  var destinations: [ZoneDestination] = []
  var configuration: (@Sendable (DropSession) -> DropConfiguration)?
  var sessionUpdated: [@concurrent @Sendable (DropSession) async -> Void] = []
  var targeted: [@concurrent @Sendable (Bool) async -> Void] = []
  /// The types that were given with `accept(types:)` or `onDrop(of:run:mode:)`.
  var acceptedTypes: [ContentType]?

  /// Functions cannot be compared, so a zone that has functions is opened again at every reload.
  var isEmpty: Bool {
    destinations.isEmpty && configuration == nil && sessionUpdated.isEmpty && targeted.isEmpty
  }

  /// The types that the zone takes; nil if it takes all. By default, these are the types that its destinations can read.
  var types: [ContentType]? {
    if let acceptedTypes { return acceptedTypes.contains(.item) ? nil : acceptedTypes }
    guard !destinations.isEmpty else { return nil }
    let types = destinations.flatMap(\.types)
    return types.contains(.item) ? nil : types
  }

  /// The types that the program declares, which are used to identify payloads.
  var declaredTypes: [ContentType] { (acceptedTypes ?? []) + destinations.flatMap(\.types) }
}
