import DropControl
import DropEngine
import DropSystem

/// The daemon that is talked to, and what its refusals mean.
struct Daemon {
  /// Where it answers, if that was said.
  let socket: RawPath?

  /// Of the daemon that serves the whole machine.
  private static let systemSocket: RawPath = "/run/dropzone/control"

  func connect() throws(Failure) -> ControlClient {
    if let socket { return try Self.asking { () throws(ControlClientError) in try ControlClient(at: socket) } }
    do throws(ControlClientError) {
      return try ControlClient(at: DefaultPlaces.socket)
    } catch {
      // Who has no daemon of one's own means the machine's.
      guard case .notThere(_, .noEntry) = error, DefaultPlaces.socket != Self.systemSocket,
        let client = try? ControlClient(at: Self.systemSocket)
      else { throw Failure(error) }
      return client
    }
  }

  /// Gives the client's errors their words.
  static func asking<Result>(_ body: () throws(ControlClientError) -> Result) throws(Failure) -> Result {
    do throws(ControlClientError) { return try body() } catch { throw Failure(error) }
  }

  /// The same where zones are named; a misspelt one is answered with the nearest there is.
  func asking<Result>(
    of zones: [String], _ body: () throws(ControlClientError) -> Result
  ) throws(Failure) -> Result {
    do throws(ControlClientError) {
      return try body()
    } catch {
      guard case .refused(let refusal) = error, case .noSuchZone(let zone) = refusal.controlError,
        let all = try? connect().list([])
      else { throw Failure(error) }
      let hint = Hint.nearest(to: zone, among: all.zones.map(\.name))
      throw .no("no zone is called '\(Escaping.escape(zone))'" + hint)
    }
  }
}

extension Failure {
  init(_ error: ControlClientError) {
    switch error {
    case .notThere(let path, let errno):
      self.init(
        code: errno == .access ? .no : .unavailable, message: "no daemon answers at '\(path)': \(errno)")
    case .closed: self.init(code: .unavailable, message: "the daemon went away")
    case .garbled: self.init(code: .no, message: "what answers is no dropzone daemon of this version")
    case .refused(let refusal): self.init(refusal)
    }
  }

  init(_ refusal: VarlinkError) {
    switch refusal.controlError {
    case .noSuchZone(let zone): self = .no("no zone is called '\(Escaping.escape(zone))'")
    // The daemon escapes what it says; the path is the one that was asked about.
    case .notInAnyZone(let path): self = .no("'\(path)' lies in no zone")
    case .notPossible(let id, let message): self = .no("\(id): \(message)")
    case .configuration(let message): self = .no("the configuration stays as it was: \(message)")
    case .stopping: self.init(code: .unavailable, message: "the daemon is stopping")
    case nil:
      switch refusal.name {
      case "org.varlink.service.PermissionDenied":
        self = .no("only root, the daemon's user and members of \(ControlRights.adminGroup) may do this")
      case "io.dropzone.Zones.TooManyConnections":
        self.init(code: .unavailable, message: "the daemon has no connection to spare")
      default:
        let parameters = refusal.parameters.sorted { $0.key < $1.key }.map {
          " \($0.key)='\(Escaping.escape($0.value))'"
        }
        self = .no("the daemon refused: \(Escaping.escape(refusal.name))" + parameters.joined())
      }
    }
  }
}
