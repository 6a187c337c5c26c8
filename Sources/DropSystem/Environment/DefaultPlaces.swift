package import DropEngine
internal import Glibc

/// Where the control socket is when nobody says.
package enum DefaultPlaces {
  /// Of the daemon that serves the whole machine.
  package static let systemSocket: RawPath = "/run/dropzone/control"

  /// Of one person's own daemon.
  package static var userSocket: RawPath {
    let runtime = ProcessArguments.variable("XDG_RUNTIME_DIR") ?? RawPath("/run/user/\(geteuid())")
    return runtime.appending("dropzone/control")
  }

  /// Where a daemon of this process's user answers.
  package static var socket: RawPath { geteuid() == 0 ? systemSocket : userSocket }
}
