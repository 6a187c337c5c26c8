import DropEngine
import DropSystem

/// The places that zones depend on, and which of them have something to answer.
final class FileSystemQueues {
  private struct WeakPlace {
    weak var place: FileSystemQueue?
  }

  private var byNumber: [Int: WeakPlace] = [:]
  /// File systems, by device.
  private var fileSystems: [UInt64: WeakPlace] = [:]
  /// Boxes, rejects and other directories that are only asked whether they answer, by path.
  private var directories: [String: WeakPlace] = [:]
  private var listed: [FileSystemQueue] = []
  /// FileSystemQueues whose answers are waited for.
  private var asked: [FileSystemQueue] = []
  private var last = 0
  private var pruneCount = 64
  /// Where anything is mounted.
  private(set) var mountPoints: [RawPath] = []

  init() {
    readMountPoints()
  }

  subscript(number: Int) -> FileSystemQueue? { byNumber[number]?.place }

  /// Makes a place for one caller, such as a zone for its path.
  func make() -> FileSystemQueue {
    last += 1
    let place = FileSystemQueue(number: last)
    byNumber[last] = WeakPlace(place: place)
    if byNumber.count > pruneCount {
      byNumber = byNumber.filter { $0.value.place != nil }
      pruneCount = 2 * byNumber.count + 64
    }
    return place
  }

  /// The place of a file system; it lasts as long as a zone uses it.
  func fileSystem(_ device: UInt64) -> FileSystemQueue {
    if let place = fileSystems[device]?.place { return place }
    let place = make()
    fileSystems = fileSystems.filter { $0.value.place != nil }
    fileSystems[device] = WeakPlace(place: place)
    return place
  }

  /// The place that stands for a directory which is only asked whether it answers.
  func directory(_ path: String) -> FileSystemQueue {
    if let place = directories[path]?.place { return place }
    let place = make()
    directories = directories.filter { $0.value.place != nil }
    directories[path] = WeakPlace(place: place)
    return place
  }

  func readMountPoints() {
    mountPoints = MountTable.places(below: "")
  }

  // MARK: - What is to be asked

  /// Lists a place for which something has been queued.
  func list(_ place: FileSystemQueue) {
    guard !place.isListed else { return }
    place.isListed = true
    listed.append(place)
  }

  /// The next place to which a call can begin.
  func nextReady() -> FileSystemQueue? {
    while let place = listed.popLast() {
      place.isListed = false
      if place.isReady { return place }
    }
    return nil
  }

  // MARK: - Calls

  /// Begins a call to a place.
  func begin(
    _ call: FileSystemCall, to place: FileSystemQueue,
    about subject: FileSystemQueue.Subject = FileSystemQueue.Subject(),
    _ body: @escaping @Sendable () -> Void
  ) {
    if place.call == nil { asked.append(place) }
    place.begin(call, about: subject, body)
  }

  /// Ends a call; returns what it was about, or nil if it is no longer waited for.
  func end(_ call: FileSystemCall, to place: FileSystemQueue) -> FileSystemQueue.Subject? {
    guard let subject = place.end(call) else { return nil }
    asked.removeAll { $0 === place }
    if place.isReady { list(place) }
    return subject
  }

  /// When the next place becomes silent, unless it answers.
  var deadline: Duration? { asked.lazy.compactMap(\.deadline).min() }

  /// Returns whether a place has become silent just now.
  func checkSilence(at now: Duration) -> Bool {
    var hasChanged = false
    for place in asked where place.checkSilence(at: now) { hasChanged = true }
    return hasChanged
  }

  /// How many places do not answer.
  var silentCount: Int { asked.count(where: \.isSilent) }
}
