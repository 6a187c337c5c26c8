package import DropEngine

extension ContentType {
  /// How certain the type of a payload is, least certain first.
  public enum Grade: String, Hashable, Sendable, Comparable {
    /// The content excludes the type that the name claims.
    case contradicted
    /// The content says nothing about its type.
    case unproved
    /// The name claims a more specific type than the content can prove, and the content fits it.
    case narrowed
    /// The content proves the type.
    case proved

    package init(_ grade: DropEngine.Grade) {
      switch grade {
      case .contradicted: self = .contradicted
      case .unproved: self = .unproved
      case .narrowed: self = .narrowed
      case .proved: self = .proved
      }
    }

    package var grade: DropEngine.Grade {
      switch self {
      case .contradicted: .contradicted
      case .unproved: .unproved
      case .narrowed: .narrowed
      case .proved: .proved
      }
    }

    /// Whether `a` is less certain than `b`.
    public static func < (a: Grade, b: Grade) -> Bool { a.grade < b.grade }
  }
}
