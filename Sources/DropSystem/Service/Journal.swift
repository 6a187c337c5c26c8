internal import CSystemd
internal import CLinux
internal import Glibc

/// The system's journal, through its native protocol: sd_journal_send(3).
enum Journal {
  /// Whether standard error goes to the journal: JOURNAL_STREAM has the device and inode, see systemd.exec(5).
  static var hasStandardError: Bool {
    guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(2, &status) == 0 else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Sends a record with separate fields, so that no value can imitate another field. Returns false if this failed.
  static func send(_ record: LogRecord) -> Bool {
    let fields =
      [
        LogField("MESSAGE", Array(LogText.line(record.message).utf8)),
        LogField("PRIORITY", Array(String(record.level.rawValue).utf8)),
      ] + record.fields
    let strings = fields.map { Array($0.name.utf8) + [UInt8(ascii: "=")] + $0.value }
    let starts = strings.reduce(into: [0]) { starts, string in starts.append((starts.last ?? 0) + string.count) }
    var bytes = strings.flatMap { $0 }
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      let vectors = unsafe zip(starts, strings).map { start, string in
        unsafe iovec(iov_base: buffer.baseAddress.map { unsafe $0 + start }, iov_len: string.count)
      }
      return unsafe sd_journal_sendv(vectors, Int32(vectors.count)) == 0
    }
  }
}
