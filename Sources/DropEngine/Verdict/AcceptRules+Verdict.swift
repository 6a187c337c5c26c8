extension AcceptRules {
  /// The properties of a complete payload that the zone's rules check.
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

  /// The refusal by the first rule that fails, in the order in which people fix things; nil if all rules pass.
  package func refusal(of facts: Facts) -> Refusal? {
    sizeRefusal(facts.size, isComplete: true) ?? itemsRefusal(facts.ordinal) ?? typeRefusal(facts)
  }

  /// Checks the size. For a payload that is still growing, only the maximum counts.
  package func sizeRefusal(_ size: Int64, isComplete: Bool) -> Refusal? {
    if let maxSize, size > maxSize {
      return (.size, "the file has \(size.formattedBytes); this zone takes at most \(maxSize.formattedBytes)")
    }
    guard isComplete else { return nil }
    if size == 0, (minSize ?? 1) > 0 { return (.empty, "the file is empty") }
    if let minSize, size < minSize {
      return (.size, "the file has \(size.formattedBytes); this zone takes at least \(minSize.formattedBytes)")
    }
    return nil
  }

  package func itemsRefusal(_ ordinal: Int) -> Refusal? {
    guard let maxItems, ordinal > maxItems else { return nil }
    return (.items, "this is number \(ordinal) in its session; this zone takes at most \(maxItems)")
  }

  private func typeRefusal(_ facts: Facts) -> Refusal? {
    // The default grade applies only if the zone has types.
    guard !types.isEmpty || grades != AcceptRules().grades else { return nil }
    let found =
      facts.claimedType.map { $0 == facts.type ? facts.type : "\(facts.type), its name says \($0)" } ?? facts.type
    if !types.isEmpty, !facts.typeMatches {
      return (.type, "its content is \(found); this zone takes \(types.joined(separator: ", "))")
    }
    guard !grades.contains(facts.grade) else { return nil }
    switch facts.grade {
    case .contradicted: return (.type, "its content is \(found); this zone does not take files whose name is wrong")
    case .unproved: return (.type, "its content does not prove any type (\(found))")
    case .narrowed: return (.type, "its content does not prove \(found)")
    case .proved: return (.type, "its type is proved (\(found)), which this zone does not take")
    }
  }
}

extension Int64 {
  /// The size for people, in powers of 1000, such as `812 B` or `4.2 MB`.
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
