import DropEngine
import DropSystem

/// Finds out where a zone's path leads, and whether the zone can be used there.
struct RootCheck: Sendable {
  /// The path as it was declared.
  let declared: String
  /// Where it led before, if that is known.
  let resolved: String?
  /// Whether the path was a link when the zones were read; nil if this is the first check.
  let wasLink: Bool?
  /// Whether the zone was a mount point before.
  let isMountPoint: Bool
  /// Places without which, as mount points, the zone is unavailable.
  let requiredMounts: [(place: ZoneSettings.Place, path: String)]

  struct Result: Sendable {
    let outcome: Outcome
    /// Whether the path was a link when the zones were read.
    let wasLink: Bool
  }

  enum Outcome: Sendable {
    /// The root is open; `missingMount` says which place is not a mount point although it must be one.
    case opened(OpenedDirectory, path: String, missingMount: String?)
    /// - keepsTree: The tree stays watched: that the root cannot be opened, such as for want of descriptors, says nothing
    ///   about it.
    case failed(message: String, keepsTree: Bool)
  }

  private struct Refusal: Error {
    let message: String
  }

  func run(_ call: FileSystemCall) -> Result {
    let isLink = (try? Directory.working.status(of: RawPath(declared)))?.kind == .symbolicLink
    let wasLink = wasLink ?? isLink
    return Result(outcome: check(mayBeLink: wasLink, isLink: isLink, call), wasLink: wasLink)
  }

  private func check(mayBeLink: Bool, isLink: Bool, _ call: FileSystemCall) -> Outcome {
    let path: String
    do throws(Refusal) {
      path = try resolve(isNewLink: isLink && !mayBeLink)
    } catch {
      return .failed(message: error.message, keepsTree: false)
    }
    do throws(FileError) {
      let directory = try Directory(path, noFollow: true)
      let status = try directory.status()
      if let message = mountRefusal(status, path) { return .failed(message: message, keepsTree: false) }
      _ = try directory.listing()
      let root = OpenedDirectory(directory: directory, status: status, kind: directory.fileSystemKind)
      return .opened(root, path: path, missingMount: missingMount(call))
    } catch {
      return .failed(message: "'\(Escaping.escape(path))': \(error.errno)", keepsTree: !error.errno.saysGone)
    }
  }

  /// Where the zone's path leads, unless that is elsewhere by now.
  private func resolve(isNewLink: Bool) throws(Refusal) -> String {
    // If the path leads nowhere, opening it says why.
    guard let found = realPath(declared) else { return declared }
    let hasMoved = resolved.map { $0 != found } ?? false
    guard resolved == nil && isNewLink || hasMoved else { return found }
    let before = resolved.map { "led to '\(Escaping.escape($0))'" } ?? "was no link"
    throw Refusal(
      message:
        "'\(Escaping.escape(declared))' leads to '\(Escaping.escape(found))' now and \(before) when the zones were"
        + " read; a reload takes the new place")
  }

  private func mountRefusal(_ status: FileStatus, _ path: String) -> String? {
    if status.isMountRoot { return nil }
    if isMountPoint { return "'\(Escaping.escape(path))' was a mount point and is none now" }
    guard requiredMounts.contains(where: { $0.place == .zone }) else { return nil }
    return "'\(Escaping.escape(path))' is no mount point, and RequireMount= wants one"
  }

  /// Which box or rejects is not a mount point and must be one.
  private func missingMount(_ call: FileSystemCall) -> String? {
    for (place, path) in requiredMounts where place != .zone {
      call.ask(RawPath(path))
      do throws(FileError) {
        if try Directory(path).status().isMountRoot { continue }
      } catch  where error.errno == .notConnected {
        return "'\(Escaping.escape(path))': \(error.errno)"
      } catch {}
      return "the \(place.rawValue) '\(Escaping.escape(path))' is no mount point, and RequireMount= wants one"
    }
    return nil
  }
}
