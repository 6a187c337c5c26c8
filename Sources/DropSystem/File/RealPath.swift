internal import CLinux
internal import Glibc

/// The path without links and dots: realpath(3); nil where it leads nowhere, or to a name that is no text.
package func realPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(validatingCString: resolved)
}
