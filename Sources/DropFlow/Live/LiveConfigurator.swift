package import DropEngine
package import DropSystem
internal import Synchronization

/// Calls a zone's configuration closure on a separate thread, so that a slow closure delays only the payloads it was
/// called for.
///
/// It also determines the types of payloads, because the event loop must not read files. Payloads that are released go
/// before those that have only changed.
package final class LiveConfigurator: Sendable {
  /// How long a round of changed payloads may spend on reading their heads.
  private static let typingBudget = Duration.milliseconds(10)
  /// How long answers are collected before they are reported.
  private static let gathering = Duration.milliseconds(20)

  private struct Queue {
    var releases: [LiveRound] = []
    /// The newest round of changed payloads, with the questions of older rounds that have not begun.
    var changes: LiveRound?
    var isClosed = false

    /// Adds questions to the round of changed payloads, except those that `round` asks again.
    mutating func add(_ questions: [LiveQuestion], behind round: LiveRound) {
      let known = Set(round.questions.map(\.id))
      changes?.questions += questions.filter { !known.contains($0.id) }
    }
  }

  private let configuration: (any LiveConfiguration)?
  private let box: String
  private let operation: DeliveryRules.Operation
  private let typer: ContentTyper
  private let time: TimeSource
  private let answered: @Sendable ([LiveAnswer], _ isRelease: Bool) -> Void
  private let queue = Mutex(Queue())
  private let calls = SerialQueue(name: "configuration")

  /// - Parameter answered: Called on the configurator's thread, in the order of the questions.
  package init(
    box: String, operation: DeliveryRules.Operation, configuration: (any LiveConfiguration)?,
    typer: ContentTyper, time: TimeSource, answered: @escaping @Sendable ([LiveAnswer], _ isRelease: Bool) -> Void
  ) {
    self.box = box
    self.operation = operation
    self.configuration = configuration
    self.typer = typer
    self.time = time
    self.answered = answered
  }

  /// Asks about payloads that have changed.
  package func ask(_ round: LiveRound) {
    enqueue { queue in
      let waiting = queue.changes
      queue.changes = round
      if let waiting { queue.add(waiting.questions, behind: round) }
    }
  }

  /// Asks about payloads that are complete; the answers are binding.
  package func askAtRelease(_ round: LiveRound) {
    enqueue { $0.releases.append(round) }
  }

  /// Ignores further questions, and those that are waiting. A call that is under way is not interrupted.
  package func close() {
    queue.withLock { $0.isClosed = true }
  }

  private func enqueue(_ change: (inout Queue) -> Void) {
    queue.withLock { change(&$0) }
    calls.enqueue { [self] in
      while let (round, isRelease) = next() { answer(round, isRelease: isRelease) }
    }
  }

  private func next() -> (LiveRound, isRelease: Bool)? {
    queue.withLock { queue in
      if queue.isClosed { return nil }
      if !queue.releases.isEmpty { return (queue.releases.removeFirst(), true) }
      defer { queue.changes = nil }
      return queue.changes.map { ($0, false) }
    }
  }

  private func answer(_ round: LiveRound, isRelease: Bool) {
    var site = LiveDirectories(zone: round.root)
    var view = round.view
    let typed = types(of: round.questions, at: &site, within: isRelease ? nil : Self.typingBudget)
    for index in view.items.indices {
      guard let typed = typed[view.items[index].id] else { continue }
      view.items[index].type = typed.type
      view.items[index].claimedType = typed.claimedType
      view.items[index].grade = typed.grade
    }
    if let room = (try? Directory(box))?.freeRoom {
      view.room = SessionView.Room(bytes: room.bytes, inodes: room.inodes)
    }
    let ask = configuration?.asking(in: view)
    var answers: [LiveAnswer] = []
    var taken = 0
    var given = time.now
    for (index, question) in round.questions.enumerated() {
      let start = time.now
      let verdict = ask?(question.location, question.operations ?? site.operations(of: question))
      let end = ask == nil ? start : time.now
      let binding = isRelease ? verdict?.binding(in: operation, taken: taken) : nil
      if case .take = binding { taken += 1 }
      answers.append(
        LiveAnswer(question: question, verdict: verdict, binding: binding, typed: typed[question.id], took: end - start)
      )
      guard end - given >= Self.gathering else { continue }
      answered(answers, isRelease)
      answers = []
      given = end
      // Released payloads do not wait for those that have only changed.
      if !isRelease, postpone(round, from: index + 1) { return }
      if queue.withLock({ $0.isClosed }) { return }
    }
    if !answers.isEmpty { answered(answers, isRelease) }
  }

  /// Postpones the rest of a round if a payload has been released in the meantime.
  private func postpone(_ round: LiveRound, from index: Int) -> Bool {
    queue.withLock { queue in
      guard !queue.releases.isEmpty else { return false }
      var rest = round
      rest.questions.removeFirst(index)
      if let newer = queue.changes {
        queue.add(rest.questions, behind: newer)
      } else if !rest.questions.isEmpty {
        queue.changes = rest
      }
      return true
    }
  }

  private func types(
    of questions: [LiveQuestion], at site: inout LiveDirectories, within budget: Duration?
  ) -> [DropID: TypedContent] {
    var typed: [DropID: TypedContent] = [:]
    let start = time.now
    for question in questions where question.wantsType {
      if let budget, time.now - start >= budget { break }
      typed[question.id] = site.type(of: question, by: typer)
    }
    return typed
  }
}
