internal import CCrypto
internal import CLinux
internal import Glibc

/// A SHA-256 digest that is computed piece by piece.
@safe package struct Digest: ~Copyable {
  private let context: OpaquePointer

  private init(context: OpaquePointer) {
    unsafe self.context = unsafe context
  }

  /// Fails with ENOMEM if the library has no memory or is configured without SHA-256.
  package static func begin() throws(Errno) -> Digest {
    guard let context = unsafe EVP_MD_CTX_new() else { throw .noMemory }
    let digest = unsafe Digest(context: context)
    guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .noMemory }
    return digest
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { buffer in unsafe update(buffer) }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest in 64 lower-case hexadecimal digits, as in receipts.
  package consuming func finish() -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    unsafe EVP_DigestFinal_ex(context, &bytes, &count)
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Digest {
  /// The SHA-256 of bytes in memory.
  package static func sha256(of bytes: [UInt8]) throws(Errno) -> String {
    var digest = try begin()
    digest.update(bytes)
    return digest.finish()
  }

  /// The SHA-256 of a whole regular file. The descriptor's position does not matter, and does not change.
  ///
  /// Fails with ECANCELED after a cancellation, and with ENOMEM if a digest could not be started.
  package static func sha256(
    of file: borrowing FileDescriptor, cancellation: Cancellation? = nil
  ) throws(Errno) -> String {
    var digest = try begin()
    let number = file.number
    posix_fadvise(number, 0, 0, POSIX_FADV_SEQUENTIAL)
    let failure = unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 4096) { buffer -> Errno? in
      var offset = 0
      while true {
        if cancellation?.isCancelled == true { return Errno(ECANCELED) }
        let count = unsafe pread(number, buffer.baseAddress, buffer.count, offset)
        if count == 0 { return nil }
        if count > 0 {
          unsafe digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          offset += count
        } else if Errno.last != .interrupted {
          return Errno.last
        }
      }
    }
    if let failure { throw failure }
    return digest.finish()
  }
}
