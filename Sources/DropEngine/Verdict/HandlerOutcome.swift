/// The outcome of a handler's process, from its exit and its answer.
package enum HandlerOutcome: Hashable, Sendable {
  case accepted(HandlerAnswer)
  /// The handler refused the payload, for a reason that can be shown.
  case rejected(String)
  /// The payload is put back, and the handler is asked again.
  case notYet(String?)
  /// The attempt failed and counts, but says nothing about the payload.
  case failed(String)
  /// This payload can never be passed to this handler.
  case payloadRefused(String)
  /// The command cannot be run for any payload, so the zone is blocked.
  case blocked(String)
  /// The machine lacks resources. The handler is asked again soon, and no attempt is counted.
  case wait(String)
  /// The daemon is stopping, so the handler counts as not asked.
  case void
}

extension HandlerOutcome {
  /// Whether the payload goes to the rejects, now or after the last attempt.
  package var refuses: Bool {
    switch self {
    case .rejected, .failed, .payloadRefused: true
    case .accepted, .notYet, .blocked, .wait, .void: false
    }
  }

  /// Determines the outcome, first of all from the exit status. If the handler was killed, its output is not a verdict.
  ///
  /// An invalid answer invalidates only an acceptance, because a refusal does not need an answer.
  package init(ending: HandlerEnding, answer: Result<HandlerAnswer, HandlerAnswer.Flaw>) {
    let reason =
      switch answer {
      case .success(let answer): answer.reason
      case .failure(let flaw): flaw.reason
      }
    switch ending {
    case .exited(0):
      switch answer {
      case .success(let answer) where answer.operation == .forbidden:
        self = .rejected(answer.reason ?? "forbidden by the handler")
      case .success(let answer): self = .accepted(answer)
      case .failure(let flaw): self = .failed("the handler's answer cannot be used: \(flaw.message)")
      }
    case .exited(Self.temporaryFailure): self = .notYet(reason)
    case .exited(let status) where Self.cannotExecute.contains(status):
      self = .blocked("the handler's command could not be run: exit status \(status)" + Self.after(reason))
    case .exited(let status): self = .rejected(reason ?? "exit status \(status)")
    case .signaled(let signal): self = .failed("handler failed: signal \(signal)" + Self.after(reason))
    case .timedOut: self = .failed("handler failed: it timed out" + Self.after(reason))
    case .cancelled: self = .void
    case .couldNotStart(.command(let why)): self = .blocked("the handler's command could not be run: \(why)")
    case .couldNotStart(.payload(let why)):
      self = .payloadRefused("the handler could not be given this payload: \(why)")
    case .couldNotStart(.machine(let why)): self = .wait("the handler could not be started: \(why)")
    }
  }

  /// EX_TEMPFAIL of sysexits.h.
  private static let temporaryFailure: Int32 = 75
  /// The exit statuses of shells and env(1) for a command that cannot be run, or does not exist.
  private static let cannotExecute: ClosedRange<Int32> = 126...127

  private static func after(_ reason: String?) -> String {
    reason.map { "; its output was: \($0)" } ?? ""
  }
}
