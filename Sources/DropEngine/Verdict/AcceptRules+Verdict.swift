extension AcceptRules {
  /// What is known of a complete payload when the zone's own rules are asked.
  package struct Facts: Hashable, Sendable {
    package var size: Int64
    package var type: String
    package var claimedType: String?
    package var grade: Grade
    /// Whether one of the zone's types matches.
    package var typeMatches: Bool
    /// Its number in the session, from 1.
    package var ordinal: Int

    package init(
      size: Int64, type: String, claimedType: String?, grade: Grade, typeMatches: Bool, ordinal: Int
    ) {
      self.size = size
      self.type = type
      self.claimedType = claimedType
      self.grade = grade
      self.typeMatches = typeMatches
      self.ordinal = ordinal
    }
  }

  package typealias Refusal = (code: ReasonCode, message: String)

  /// The first rule that refuses, in the order in which people fix things; nil when all pass.
  package func refusal(of facts: Facts) -> Refusal? {
    sizeRefusal(facts.size, isComplete: true) ?? itemsRefusal(facts.ordinal) ?? typeRefusal(facts)
  }

  /// Also asked while the payload grows: too big is known before the end, too small is not.
  package func sizeRefusal(_ size: Int64, isComplete: Bool) -> Refusal? {
    if let maxSize, size > maxSize {
      return (.size, "\(size.formattedBytes) are more than the \(maxSize.formattedBytes) this zone takes")
    }
    guard isComplete else { return nil }
    if size == 0, (minSize ?? 1) > 0 { return (.empty, "the file is empty") }
    if let minSize, size < minSize {
      return (.size, "\(size.formattedBytes) are less than the \(minSize.formattedBytes) this zone wants")
    }
    return nil
  }

  package func itemsRefusal(_ ordinal: Int) -> Refusal? {
    guard let maxItems, ordinal > maxItems else { return nil }
    return (.items, "number \(ordinal) of at most \(maxItems) at a time")
  }

  private func typeRefusal(_ facts: Facts) -> Refusal? {
    // The grade a zone asks for without saying so is about the types it asks for.
    guard !types.isEmpty || grades != AcceptRules().grades else { return nil }
    let found =
      facts.claimedType.map { $0 == facts.type ? facts.type : "\(facts.type), its name says \($0)" } ?? facts.type
    if !types.isEmpty, !facts.typeMatches {
      return (.type, "its content is \(found); this zone takes \(types.joined(separator: ", "))")
    }
    guard !grades.contains(facts.grade) else { return nil }
    switch facts.grade {
    case .contradicted: return (.type, "its content is \(found): the name does not fit")
    case .unproved: return (.type, "its content proves no type (\(found))")
    case .narrowed: return (.type, "its content does not prove \(found)")
    case .proved: return (.type, "a proved type (\(found)) is not wanted here")
    }
  }
}

extension Int64 {
  /// As a person reads it: `812 B`, `4.2 MB` (powers of 1000).
  package var formattedBytes: String {
    if self < 1000 { return "\(self) B" }
    var value = Double(self)
    var unit = -1
    while value >= 999.95, unit < 4 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    let units = ["kB", "MB", "GB", "TB", "PB"]
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
