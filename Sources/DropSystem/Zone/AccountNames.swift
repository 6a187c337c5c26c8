internal import Glibc

/// The users and groups this machine knows.
package enum AccountNames {
  package static func isUser(_ name: String) -> Bool {
    unsafe lookUp { buffer, size in
      var record = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let failure = unsafe getpwnam_r(name, &record, buffer, size, &found)
      return unsafe (failure, found == nil ? nil : true)
    } ?? false
  }

  package static func isGroup(_ name: String) -> Bool {
    unsafe lookUp { buffer, size in
      var record = unsafe group()
      var found: UnsafeMutablePointer<group>?
      let failure = unsafe getgrnam_r(name, &record, buffer, size, &found)
      return unsafe (failure, found == nil ? nil : true)
    } ?? false
  }

  /// The home directory of a user by number, as the user database has it.
  package static func home(ofUser user: UInt32) -> String? {
    unsafe lookUp { buffer, size in
      var record = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let failure = unsafe getpwuid_r(user, &record, buffer, size, &found)
      return unsafe (failure, found.map { unsafe String(cString: $0.pointee.pw_dir) })
    }
  }

  /// Asks with ever more room: a group of many members does not fit into what getpwnam_r(3) proposes.
  private static func lookUp<Answer>(
    _ ask: (UnsafeMutablePointer<CChar>, Int) -> (failure: Int32, answer: Answer?)
  ) -> Answer? {
    var size = 4096
    while size <= 1 << 24 {
      var room = [CChar](repeating: 0, count: size)
      let (failure, answer) = unsafe ask(&room, size)
      guard failure == ERANGE else { return answer }
      size *= 4
    }
    return nil
  }
}
