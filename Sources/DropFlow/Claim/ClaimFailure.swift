import DropEngine
import DropSystem

/// Why one payload was not claimed.
enum ClaimFailure: Error {
  /// It is not what it was: look afresh.
  case changed
  case refused(Waiting, String)

  /// What an error means while a payload is being opened or taken.
  init(_ error: any Error, doing what: String) {
    switch error {
    case let failure as ClaimFailure: self = failure
    case let error as Errno: self.init(error, doing: what)
    default: self = .refused(.retry, "it \(what): \(error)")
    }
  }

  private init(_ error: Errno, doing what: String) {
    switch error {
    // A rename between mounts or subvolumes; of an open it says that the directory has been moved out of the zone.
    case .crossDevice where what == "cannot be taken":
      self = .refused(.cannotTake, "it lies on another file system than the hold")
    case .noEntry, .notDirectory, .loop, .crossDevice: self = .changed
    case .access: self = .refused(what == "cannot be opened" ? .unreadable : .cannotTake, "it \(what): \(error)")
    case .notPermitted: self = .refused(.cannotTake, "it \(what): \(error)")
    case .exists: self = .changed
    case .noSpace, .quota, .readOnly: self = .refused(.blocked, "it \(what): \(error)")
    default: self = .refused(.retry, "it \(what): \(error)")
    }
  }

  func refusal(of key: PayloadKey) -> ClaimRefusal {
    switch self {
    case .changed: ClaimRefusal(key, nil, "")
    case .refused(let waiting, let detail):
      ClaimRefusal(key, waiting, detail, endsAtChange: waiting == .unreadable || waiting == .cannotTake)
    }
  }
}
