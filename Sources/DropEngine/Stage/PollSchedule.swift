/// When directories are scanned again whose changes raise no events: soon after activity, later while there is none.
package struct PollSchedule: Sendable {
  static let shortestInterval = Duration.seconds(5)

  private struct Poll: Sendable {
    /// Nil while its scan is queued. An entry of the heap that differs is stale.
    @OptionalTicks var next: Duration? = nil
    @Ticks var interval: Duration = PollSchedule.shortestInterval
  }

  private var polls: [Int32: Poll] = [:]
  private var deadlines = DeadlineHeap<Int32>()

  package init() {}

  /// Schedules the next scan of a directory that has just been scanned, or is new.
  package mutating func schedule(_ directory: Int32, atMostEvery longest: Duration, at now: Duration) {
    var poll = polls[directory] ?? Poll()
    let interval = min(poll.interval, longest)
    poll.interval = min(poll.interval * 2, longest)
    setNext(now + interval, of: directory, poll)
  }

  /// Scans a directory soon again, because something new has turned up in it.
  package mutating func noteActivity(in directory: Int32, at now: Duration) {
    guard var poll = polls[directory] else { return }
    poll.interval = Self.shortestInterval
    setNext(now + Self.shortestInterval, of: directory, poll)
  }

  package mutating func remove(_ directory: Int32) {
    polls[directory] = nil
  }

  /// Returns the directories whose time has come.
  package mutating func takeDue(at now: Duration) -> [Int32] {
    var due: [Int32] = []
    while let entry = deadlines.pop(until: now) {
      guard isCurrent(entry) else { continue }
      polls[entry.key]?.next = nil
      due.append(entry.key)
    }
    return due
  }

  package mutating func nextDeadline() -> Duration? {
    let polls = polls
    return deadlines.first { polls[$0.key]?.next == $0.deadline }
  }

  private func isCurrent(_ entry: DeadlineHeap<Int32>.Entry) -> Bool { polls[entry.key]?.next == entry.deadline }

  private mutating func setNext(_ moment: Duration, of directory: Int32, _ poll: Poll) {
    var poll = poll
    poll.next = moment
    polls[directory] = poll
    deadlines.push(moment, directory, 0)
    guard deadlines.count > 4 * polls.count + 64 else { return }
    let polls = polls
    deadlines.keep { polls[$0.key]?.next == $0.deadline }
  }
}
