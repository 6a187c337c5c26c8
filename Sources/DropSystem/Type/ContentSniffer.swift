internal import CMagic
internal import DropEngine
internal import CLinux
internal import Glibc

/// Why libmagic gave no answer.
package enum SnifferError: Error, Hashable, Sendable {
  /// There was no memory for a handle.
  case noHandle
  /// The database is missing or has another version; libmagic's message.
  case noDatabase(String)
  /// It failed for these bytes; libmagic's message.
  case unreadable(String)
}

extension SnifferError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noHandle: "no memory for libmagic"
    case .noDatabase(let reason): "libmagic's database: \(reason)"
    case .unreadable(let reason): "libmagic: \(reason)"
    }
  }
}

/// Determines the type of binary content from its first bytes, with libmagic.
///
/// A sniffer is a libmagic handle, which stores its last error and has buffers, so put a sniffer into a `Mutex` to share
/// it.
@safe package struct ContentSniffer: ~Copyable, @unchecked Sendable {
  private let handle: magic_t

  /// Opens libmagic with its own database.
  package init() throws(SnifferError) {
    // Other checks determine the type of text, so libmagic's JSON and CSV parsers would only cost time.
    let flags = MAGIC_MIME_TYPE | MAGIC_NO_CHECK_JSON | MAGIC_NO_CHECK_CSV | MAGIC_NO_CHECK_COMPRESS
    guard let handle = unsafe magic_open(flags) else { throw .noHandle }
    guard unsafe magic_load(handle, nil) == 0 else {
      let reason = unsafe Self.lastError(of: handle)
      unsafe magic_close(handle)
      throw .noDatabase(reason)
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe magic_close(handle)
  }

  /// Returns the media type of `bytes`, such as `application/pdf`.
  package borrowing func mediaType(of bytes: Span<UInt8>) throws(SnifferError) -> String {
    let answer = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe magic_buffer(handle, buffer.baseAddress, buffer.count)
    }
    guard let answer = unsafe answer else {
      throw .unreadable(unsafe Self.lastError(of: handle))
    }
    return unsafe String(cString: answer)
  }

  private static func lastError(of handle: magic_t) -> String {
    guard let text = unsafe magic_error(handle) else { return "no reason given" }
    return unsafe String(cString: text)
  }

  /// The library's version, such as `5.44`.
  package static var version: String {
    let number = magic_version()
    let minor = String(number % 100)
    return "\(number / 100).\(minor.count == 1 ? "0" + minor : minor)"
  }

  /// The possible paths of its compiled database, not all of which exist.
  static var databases: [String] {
    guard let list = unsafe magic_getpath(nil, 0) else { return [] }
    return unsafe String(cString: list).split(separator: ":").map { path in
      path.hasSuffix(".mgc") ? String(path) : path + ".mgc"
    }
  }

  /// Whether libmagic's database contains the media type `type`; true if the database cannot be read.
  ///
  /// The library does not list its types, but the compiled database contains each as zero-terminated text.
  static func knows(_ type: String) -> Bool {
    let wanted = Array(type.utf8)
    guard let slash = wanted.firstIndex(of: .slash) else { return false }
    guard let bytes = databases.lazy.compactMap({ MIMEDatabase.contents($0) }).first else { return true }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      // Slashes are rare, so the C library finds them faster than a loop over all bytes.
      while position < bytes.count, let start = unsafe bytes.baseAddress.map({ unsafe $0 + position }),
        let found = unsafe memchr(start, Int32(UInt8.slash), bytes.count - position)
      {
        position += unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
        let first = position - slash
        if first > 0, first + wanted.count < bytes.count, unsafe bytes[first - 1] == 0,
          unsafe bytes[first + wanted.count] == 0, unsafe bytes[first..<(first + wanted.count)].elementsEqual(wanted)
        {
          return true
        }
        position += 1
      }
      return false
    }
  }
}
