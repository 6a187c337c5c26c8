/// What a program says of a zone in functions.
struct ZoneActions: Sendable {
  /// The first whose types fit and whose import succeeds takes a payload.
  var destinations: [ZoneDestination] = []
  var configuration: (@Sendable (DropSession) -> DropConfiguration)?
  var sessionUpdated: [@concurrent @Sendable (DropSession) async -> Void] = []
  var targeted: [@concurrent @Sendable (Bool) async -> Void] = []
  /// The types that were said with `accept(types:)` or `onDrop(of:run:mode:)`.
  var acceptedTypes: [ContentType]?

  /// Functions cannot be compared: a zone that has some is opened anew at every reload.
  var isEmpty: Bool {
    destinations.isEmpty && configuration == nil && sessionUpdated.isEmpty && targeted.isEmpty
  }

  /// The types of the zone; nil where it takes all. Unless said, they are those that its destinations can read.
  var types: [ContentType]? {
    if let acceptedTypes { return acceptedTypes.contains(.item) ? nil : acceptedTypes }
    guard !destinations.isEmpty else { return nil }
    let types = destinations.flatMap(\.types)
    return types.contains(.item) ? nil : types
  }

  /// Types that the program declares, for telling what payloads are.
  var declaredTypes: [ContentType] { (acceptedTypes ?? []) + destinations.flatMap(\.types) }
}
