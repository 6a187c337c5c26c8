import DropEngine
import DropSystem

/// The directories that one round of questions is about, each opened once, and let go at the end of the round.
struct LiveDirectories {
  private let root: Directory?
  private var parents: [RawPath: Parent] = [:]

  private struct Parent {
    let directory: Directory
    let status: FileStatus
    let isWritable: Bool
  }

  init(zone: String) {
    root = try? Directory(zone, noFollow: true)
  }

  /// What the file is, from its content as staging saw it; nil when it has changed since, or cannot be read. What is
  /// written while it is read shows in the next look, or at the claim.
  mutating func type(of question: LiveQuestion, by typer: ContentTyper) -> TypedContent? {
    let name = question.location.lastComponent
    guard let (file, status) = try? parent(of: question.location)?.directory.openRegular(named: name),
      status.isUnchanged(since: question.status)
    else { return nil }
    return try? typer.type(of: file, size: status.size, name: name)
  }

  /// What the source permits: no move for what this daemon cannot unlink.
  mutating func operations(of question: LiveQuestion) -> Set<LiveOperation> {
    guard !question.status.isImmutable, let parent = parent(of: question.location), parent.isWritable else {
      return [.copy]
    }
    let isSticky = parent.status.mode & 0o1000 != 0
    let user = effectiveUser()
    guard isSticky, question.status.owner != user, parent.status.owner != user, !Capabilities.has(.owner) else {
      return [.move, .copy]
    }
    return [.copy]
  }

  private mutating func parent(of location: RawPath) -> Parent? {
    let location = location.parent
    if let known = parents[location] { return known }
    guard let directory = try? root?.directory(at: location), let status = try? directory.status() else { return nil }
    let parent = Parent(directory: directory, status: status, isWritable: directory.isWritable)
    parents[location] = parent
    return parent
  }
}
