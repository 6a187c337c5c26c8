package import DropEngine

extension ContentType {
  /// How far a payload's type is known, weakest first.
  public enum Grade: String, Hashable, Sendable, Comparable {
    /// The name says something else than the content.
    case contradicted
    /// The content says nothing.
    case unproved
    /// The name says more than the content can, and fits it.
    case narrowed
    /// The content says so.
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

    /// Whether `a` says less than `b`.
    public static func < (a: Grade, b: Grade) -> Bool { a.grade < b.grade }
  }
}
