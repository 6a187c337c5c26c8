package import DropEngine
import DropSystem
internal import Synchronization

/// A program that decides about payloads and keeps running: `OnDrop=` with `Mode=stream`.
///
/// Each call has a process to itself, and leaves it to a later call. All payloads of a call are asked about at once and
/// answered in any order. Payloads that are unanswered when the process ends, or prints something that cannot be
/// understood, have lost an attempt.
package final class StreamHandler: DropHandler {
  private let command: [String]
  private let zone: String
  private let timeout: Duration
  /// Processes that no call uses.
  private let idle = Mutex<[StreamProcess]>([])

  package init(command: [String], zone: String, timeout: Duration) {
    self.command = command
    self.zone = zone
    self.timeout = timeout
  }

  deinit {
    for process in takeIdle() { BlockingPool.handlers.perform { process.stop() } }
  }

  package var batchLimit: Int { 256 }

  package func decide(
    on payloads: [HeldPayload], answer: @escaping @Sendable (DropID, HandlerDecision) async -> Void
  ) async {
    let cancellation = Cancellation()
    let (answers, sink) = AsyncStream.makeStream(of: (DropID, HandlerDecision).self)
    // A separate task, because cancelling this one would end the stream before the process has ended.
    let relay = Task { for await (id, decision) in answers { await answer(id, decision) } }
    await withTaskCancellationHandler {
      BlockingPool.handlers.perform { [self] in
        converse(about: payloads, cancellation) { sink.yield(($0, $1)) }
        sink.finish()
      }
      await relay.value
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func converse(
    about payloads: [HeldPayload], _ cancellation: Cancellation, _ answer: (DropID, HandlerDecision) -> Void
  ) {
    var open = Set(payloads.map(\.drop.id))
    let rest: HandlerDecision
    do throws(StreamProcess.Failure) {
      let process = try ready()
      let questions = payloads.flatMap { HandlerInput($0.drop, path: $0.path).line }
      try process.ask(questions, timeout: timeout, cancellation: cancellation) { line throws(StreamAnswer.Garbage) in
        let said = try StreamAnswer.read(line)
        guard open.remove(said.id) != nil else {
          throw StreamAnswer.Garbage(message: "it was not asked about '\(said.id)', or has answered before")
        }
        let report = Receipt.HandlerReport(exit: nil, signal: nil, output: Escaping.escape(Array(line.prefix(4096))))
        answer(said.id, HandlerDecision(said.outcome, report: report, retryAfter: said.retryAfter))
        return open.isEmpty
      }
      idle.withLock { $0.append(process) }
      return
    } catch {
      switch error {
      case .garbage(let message): rest = HandlerDecision(.failed("handler failed: \(message)"))
      case .ended(let end): rest = HandlerDecision(end.outcomeOfUnanswered, report: end.report)
      }
    }
    for payload in payloads where open.contains(payload.drop.id) { answer(payload.drop.id, rest) }
  }

  /// Returns a process that waits for questions, or starts one.
  private func ready() throws(StreamProcess.Failure) -> StreamProcess {
    while let process = idle.withLock({ $0.popLast() }) {
      if process.isFit { return process }
      // It ended while it was not asked anything, which costs no payload an attempt.
      process.stop()
    }
    do throws(Errno) {
      return try StreamProcess(command: command, environment: [("DROP_ZONE", Array(zone.utf8))])
    } catch {
      throw .ended(HandlerEnd(.couldNotStart(error)))
    }
  }

  /// Ends the processes that no call uses, all at the same time, and returns once they are gone.
  package func close() async {
    await withTaskGroup(of: Void.self) { group in
      for process in takeIdle() { group.addTask { await BlockingPool.handlers.run { process.stop() } } }
    }
  }

  private func takeIdle() -> [StreamProcess] {
    idle.withLock { processes in
      defer { processes = [] }
      return processes
    }
  }
}

extension HandlerEnd {
  /// What the process's end means for a payload that it was asked about. Its exit status is not a verdict here.
  fileprivate var outcomeOfUnanswered: HandlerOutcome {
    let ended = HandlerOutcome(ending: ending, answer: .success(HandlerAnswer()))
    switch (way, ended) {
    case (.exited, .blocked): return ended
    case (.exited(let status), _):
      return .failed("handler failed: it ended with exit status \(status) before it answered")
    default: return ended
    }
  }
}
