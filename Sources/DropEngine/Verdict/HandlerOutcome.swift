/// What follows from the end of a handler's process and what it said.
package enum HandlerOutcome: Hashable, Sendable {
  case accepted(HandlerAnswer)
  /// Refused by the handler, for a reason that may be shown.
  case rejected(String)
  /// Put back, and asked again.
  case notYet(String?)
  /// An attempt that counts and says nothing about the payload.
  case failed(String)
  /// This payload can never be given to this handler.
  case payloadRefused(String)
  /// The command does not run for anybody: the zone is blocked.
  case blocked(String)
  /// The machine is short of something: asked again soon, no attempt is counted.
  case wait(String)
  /// The daemon stops: as if it had not been asked.
  case void
}

extension HandlerOutcome {
  /// Whether what lies in the hold goes to the rejects, now or after the last attempt.
  package var refuses: Bool {
    switch self {
    case .rejected, .failed, .payloadRefused: true
    case .accepted, .notYet, .blocked, .wait, .void: false
    }
  }

  /// Judges an end by the exit status first; what was printed never makes a verdict of a death.
  ///
  /// A flawed answer spoils only what it was needed for: an acceptance. Refusals stand without it.
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
  /// What shells and env(1) exit with where the command is there and does not run, or is not there.
  private static let cannotExecute: ClosedRange<Int32> = 126...127

  private static func after(_ reason: String?) -> String {
    reason.map { "; it had said: \($0)" } ?? ""
  }
}
