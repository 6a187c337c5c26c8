internal import CLinux
internal import Glibc

/// A Linux error number.
package struct Errno: Error, Hashable, Sendable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// What the last failed call of this thread left behind; read it before anything else is called.
  package static var last: Errno { Errno(Glibc.errno) }
}

extension Errno: CustomStringConvertible {
  /// The C library's words, such as `No space left on device`.
  package var description: String {
    var buffer = [CChar](repeating: 0, count: 128)
    // The POSIX strerror_r(3) returns a number, GNU's a string that need not lie in the buffer; Glibc's module has POSIX's.
    let failed = unsafe strerror_r(number, &buffer, buffer.count)
    guard failed == 0, let end = buffer.firstIndex(of: 0) else { return "error \(number)" }
    return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Errno {
  /// Whether the file system refuses a name as such: too long, or a byte it does not take.
  package var isAboutName: Bool { [ENAMETOOLONG, EINVAL, EILSEQ].contains(number) }
}

extension Errno {
  /// Whether nothing has the name, or a part of the path to it is not a directory.
  package var isAbsence: Bool { self == .noEntry || self == .notDirectory }
}

extension Errno {
  /// Whether a sync that failed so has to be tried again; the others say that this file or directory knows no sync.
  package var leavesUnwritten: Bool { ![EINVAL, EOPNOTSUPP, ENOSYS].contains(number) }
}

extension Errno {
  package static let again = Errno(EAGAIN)
  package static let access = Errno(EACCES)
  package static let busy = Errno(EBUSY)
  package static let connectionReset = Errno(ECONNRESET)
  package static let crossDevice = Errno(EXDEV)
  package static let exists = Errno(EEXIST)
  package static let fileTooLarge = Errno(EFBIG)
  package static let illegalSequence = Errno(EILSEQ)
  package static let interrupted = Errno(EINTR)
  package static let invalid = Errno(EINVAL)
  package static let io = Errno(EIO)
  package static let isDirectory = Errno(EISDIR)
  package static let link = Errno(EMLINK)
  package static let loop = Errno(ELOOP)
  package static let nameTooLong = Errno(ENAMETOOLONG)
  package static let noEntry = Errno(ENOENT)
  package static let noMemory = Errno(ENOMEM)
  package static let noSpace = Errno(ENOSPC)
  package static let notConnected = Errno(ENOTCONN)
  package static let notDirectory = Errno(ENOTDIR)
  package static let notEmpty = Errno(ENOTEMPTY)
  package static let notPermitted = Errno(EPERM)
  package static let notSupported = Errno(EOPNOTSUPP)
  package static let quota = Errno(EDQUOT)
  package static let readOnly = Errno(EROFS)
  package static let stale = Errno(ESTALE)
  package static let textBusy = Errno(ETXTBSY)
  package static let tooBig = Errno(E2BIG)
  package static let tooManyFiles = Errno(EMFILE)
  package static let tooManyFilesInSystem = Errno(ENFILE)
}
