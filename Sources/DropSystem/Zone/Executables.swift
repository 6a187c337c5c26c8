internal import CLinux
internal import DropEngine
internal import Glibc

/// The programs of this machine.
package enum Executables {
  /// Whether there is a file that this process may run: access(2), with the effective ids.
  package static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    let found = unsafe RawPath(path).withCString { path in
      unsafe stat(path, &status) == 0 && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }
    return found && status.st_mode & S_IFMT == S_IFREG
  }
}
