import DropControl
import DropEngine
import DropSystem

/// Connects to the daemon, and translates its errors for people.
struct Daemon {
  /// The socket that was given on the command line, if any.
  let socket: RawPath?

  /// The socket of the system-wide daemon.
  private static let systemSocket: RawPath = "/run/dropzone/control"

  func connect() throws(Failure) -> ControlClient {
    if let socket {
      return try Self.translatingErrors { () throws(ControlClientError) in try ControlClient(at: socket) }
    }
    do throws(ControlClientError) {
      return try ControlClient(at: DefaultPlaces.socket)
    } catch {
      // A user who does not run a daemon means the system's.
      guard case .cannotConnect(_, .noEntry) = error, DefaultPlaces.socket != Self.systemSocket,
        let client = try? ControlClient(at: Self.systemSocket)
      else { throw Failure(error) }
      return client
    }
  }

  /// Translates the client's errors.
  static func translatingErrors<Result>(_ body: () throws(ControlClientError) -> Result) throws(Failure) -> Result {
    do throws(ControlClientError) { return try body() } catch { throw Failure(error) }
  }

  /// Translates the client's errors, and suggests the most similar name if a zone does not exist.
  func translatingErrors<Result>(
    about zones: [String], _ body: () throws(ControlClientError) -> Result
  ) throws(Failure) -> Result {
    do throws(ControlClientError) {
      return try body()
    } catch {
      guard case .refused(let refusal) = error, case .noSuchZone(let zone) = refusal.controlError,
        let all = try? connect().list([])
      else { throw Failure(error) }
      let suggestion = Suggestion.nearest(to: zone, among: all.zones.map(\.name))
      throw .no("there is no zone '\(Escaping.escape(zone))'" + suggestion)
    }
  }
}

extension Failure {
  init(_ error: ControlClientError) {
    switch error {
    case .cannotConnect(let path, let errno):
      self.init(
        code: errno == .access ? .no : .unavailable, message: "cannot connect to a daemon at '\(path)': \(errno)")
    case .closed: self.init(code: .unavailable, message: "the daemon closed the connection")
    case .invalidReply: self.init(code: .no, message: "the reply is not from a dropzone daemon of this version")
    case .refused(let refusal): self.init(refusal)
    }
  }

  init(_ refusal: VarlinkError) {
    switch refusal.controlError {
    case .noSuchZone(let zone): self = .no("there is no zone '\(Escaping.escape(zone))'")
    // The daemon has already escaped the path.
    case .notInAnyZone(let path): self = .no("'\(path)' is not in any zone")
    case .notPossible(let id, let message): self = .no("\(id): \(message)")
    case .configuration(let message): self = .no("the old configuration stays in force: \(message)")
    case .stopping: self.init(code: .unavailable, message: "the daemon is stopping")
    case nil:
      switch refusal.name {
      case "org.varlink.service.PermissionDenied":
        self = .no("only root, the daemon's user and members of \(ControlRights.adminGroup) may do this")
      case "io.dropzone.Zones.TooManyConnections":
        self.init(code: .unavailable, message: "the daemon has too many connections")
      default:
        let parameters = refusal.parameters.sorted { $0.key < $1.key }.map {
          " \($0.key)='\(Escaping.escape($0.value))'"
        }
        self = .no("the daemon refused: \(Escaping.escape(refusal.name))" + parameters.joined())
      }
    }
  }
}
