internal import Synchronization

/// A sniffer for each thread that needs one at the same time, up to a limit.
final class SnifferPool: Sendable {
  /// A handle takes some hundred kilobytes, in addition to the database, which all handles map.
  private static let limit = 8

  private final class Member: Sendable {
    let sniffer: Mutex<ContentSniffer>

    init() throws(SnifferError) {
      sniffer = Mutex(try ContentSniffer())
    }
  }

  private let members: Mutex<[Member]>

  init() throws(SnifferError) {
    members = Mutex([try Member()])
  }

  /// Returns libmagic's type of `bytes`. Waits for a sniffer if all are in use.
  func mediaType(of bytes: [UInt8]) throws(SnifferError) -> String {
    let list = members.withLock { $0 }
    for member in list {
      let answer = member.sniffer.withLockIfAvailable { sniffer in Self.ask(sniffer, bytes) }
      if let answer { return try answer.get() }
    }
    return try Self.ask(another(than: list), bytes).get()
  }

  private func another(than list: [Member]) throws(SnifferError) -> Member {
    if list.count < Self.limit {
      let new = try Member()
      members.withLock { members in
        if members.count < Self.limit { members.append(new) }
      }
      return new
    }
    // All are in use. It does not matter which one to wait for, because each is free within microseconds.
    guard let member = list.randomElement() else { throw .noHandle }
    return member
  }

  private static func ask(_ member: Member, _ bytes: [UInt8]) -> Result<String, SnifferError> {
    member.sniffer.withLock { sniffer in ask(sniffer, bytes) }
  }

  private static func ask(_ sniffer: borrowing ContentSniffer, _ bytes: [UInt8]) -> Result<String, SnifferError> {
    do throws(SnifferError) {
      return .success(try sniffer.mediaType(of: bytes.span))
    } catch {
      return .failure(error)
    }
  }
}
