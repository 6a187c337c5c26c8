import DropEngine
import DropSystem

/// The directories that one round of questions is about, each opened once, and let go at the end of the round.
struct LiveDirectories {
  private let root: OpenFile?
  private var parents: [RawPath: Parent] = [:]

  private struct Parent {
    let directory: OpenFile
    let status: FileStatus
    let isWritable: Bool
  }

  init(zone: String) {
    root = try? OpenFile(FileDescriptor.open(RawPath(zone), [.pathOnly, .directory, .noFollow]))
  }

  /// What the file is, from its content as staging saw it; nil when it has changed since, or cannot be read. What is
  /// written while it is read shows in the next look, or at the claim.
  mutating func type(of question: LiveQuestion, by typer: ContentTyper) -> TypedContent? {
    let name = question.location.lastComponent
    guard let parent = parent(of: question.location),
      // Opened through the descriptor: between the look and the open nobody can put a pipe or a link in its place.
      let path = try? FileDescriptor.open(name, in: parent.directory.number, [.pathOnly, .noFollow]),
      let status = try? FileStatus.read(at: path.number), status.kind == .regular,
      status.isUnchanged(since: question.status),
      let file = try? path.reopened([.readOnly, .nonBlocking]),
      let typed = try? typer.type(of: file, size: status.size, name: name)
    else { return nil }
    return typed
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
    guard let root,
      let directory = try? FileDescriptor.open(beneath: root.number, location, [.pathOnly, .directory]),
      let status = try? FileStatus.read(at: directory.number)
    else { return nil }
    let isWritable = Directory.isWritable(directory.number)
    let parent = Parent(directory: OpenFile(directory), status: status, isWritable: isWritable)
    parents[location] = parent
    return parent
  }
}
