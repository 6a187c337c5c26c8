internal import CGIO

/// Decompresses the first bytes of a gzip file.
enum Gunzip {
  static let signature: [UInt8] = [0x1F, 0x8B, 0x08]

  /// Returns at most `limit` decompressed bytes, and fewer if `bytes` are truncated or invalid.
  static func prefix(of bytes: [UInt8], limit: Int) -> [UInt8] {
    guard let decompressor = unsafe g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP) else { return [] }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(decompressor)) }
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, filled in
      unsafe bytes.withUnsafeBufferPointer { input in
        var used = 0
        // Each iteration consumes or produces at least a byte, or is the last.
        while filled < limit, used < input.count {
          var taken: gsize = 0
          var given: gsize = 0
          let result = unsafe g_converter_convert(
            decompressor, input.baseAddress.map { unsafe $0 + used }, gsize(input.count - used),
            output.baseAddress.map { unsafe $0 + filled }, gsize(limit - filled), G_CONVERTER_NO_FLAGS, &taken, &given,
            nil)
          guard result == G_CONVERTER_CONVERTED || result == G_CONVERTER_FINISHED else { return }
          used += Int(taken)
          filled += Int(given)
          if result == G_CONVERTER_FINISHED || taken + given == 0 { return }
        }
      }
    }
  }
}
