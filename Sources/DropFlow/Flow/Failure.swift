import DropEngine
import DropSystem

extension Delivery.Failure {
  /// What an error number means, wherever it is met.
  init(_ errno: Errno, _ message: String? = nil) {
    let kind: Kind =
      switch errno {
      case .noEntry, .notDirectory, .loop: .missing
      case .exists: .exists
      case .crossDevice: .otherFileSystem
      case .notSupported: .unsupported
      case .access: .accessDenied
      case .notPermitted: .notPermitted
      case .nameTooLong: .nameTooLong
      case _ where errno.isAboutName: .nameRefused
      case .noSpace, .quota: .noRoom
      case .fileTooLarge: .tooLarge
      case .readOnly: .readOnly
      case .again: .changed
      default: .other
      }
    self.init(kind, message ?? "\(errno)")
  }

  init(_ error: FileError) {
    self.init(error.errno)
  }

  init(_ error: LedgerError) {
    if case .noRoom = error { self.init(.ledgerNoRoom, "\(error)") } else { self.init(.other, "\(error)") }
  }

  /// An error of a payload in the hold: what cannot be seen because its hold is not there is not gone.
  init(held drop: Drop, _ error: FileError) {
    self.init(error.errno)
    if kind == .missing, !drop.isHoldThere { kind = .holdMissing }
  }
}

extension Drop {
  /// Whether the directory that the payload was put into is there: a mount that goes takes it along, and what is not in
  /// the directory that is then found under its path is not lost.
  var isHoldThere: Bool {
    guard let now = Self.identity(ofHold: holdPath) else { return false }
    return holdIdentity.map { now.matches($0) } ?? true
  }

  static func identity(ofHold path: String) -> FileIdentity? {
    (try? Directory(path, noFollow: true).status())?.identity
  }

  /// Opens the payload in the hold for reading.
  func openHeld() throws(FileError) -> (file: OpenFile, status: FileStatus) {
    let hold = try Directory(holdPath, noFollow: true)
    guard let held = try hold.openRegular(named: RawPath(entry)) else {
      throw FileError(.noEntry, .open, hold.path.appending(RawPath(entry)))
    }
    return held
  }
}
