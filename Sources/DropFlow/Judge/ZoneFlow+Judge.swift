import DropEngine
import DropSystem

/// Step 3: what it is, by its content, and what the zone's rules and its handler say.
extension ZoneFlow {
  /// Bytes up to which a digest is computed although nothing else reads them, and a sync is not worth another thread.
  static let fewBytes: Int64 = 1 << 20

  /// Judges payloads after those that are being judged now, and before those that come later.
  func judgeInTurn(_ payloads: [ClaimedPayload]) async {
    toJudge += payloads
    guard !isJudging else { return }
    isJudging = true
    while !toJudge.isEmpty {
      let next = toJudge
      toJudge = []
      await decide(next)
      await placeQueued()
      claimOnWhereThereIsRoom()
    }
    isJudging = false
  }

  /// Judges payloads beside all others.
  func judge(_ payloads: [ClaimedPayload]) async {
    await decide(payloads)
    startPlacers()
  }

  /// Types the payloads and sends each on: to its handler, or to those that go to the box or the rejects.
  private func decide(_ payloads: [ClaimedPayload]) async {
    if isStopping { return }
    let isLong = settings.delivery.digest == .yes && payloads.contains { $0.drop.size > Self.fewBytes }
    let looked = await concurrentMap(payloads, isLong: isLong) { $0.map { self.inspect(into: $0) } }
    // What a writer made of it since the claim is in its row, or a restart would take that for damage.
    let changed = zip(payloads, looked).filter { $0.drop.size != $1.0.drop.size || $0.drop.inode != $1.0.drop.inode }
    if !changed.isEmpty {
      guard await commit(changed.map { .put($1.0.drop) }) else { return }
    }
    for (payload, trouble) in looked {
      if isStopping { return }
      var payload = payload
      if let trouble {
        await waitInHand(payload, trouble) { await $0.judge([$1]) }
        continue
      }
      if payload.drop.isForced {
        payload.drop.verdict = .accepted(message: "released by an operator")
        toPlace.append(payload)
      } else if payload.drop.starts >= Self.startsLimit {
        let message = "the daemon died \(payload.drop.starts) times while it had this payload in hand"
        payload.drop.verdict = .rejected(.crashes, message: message)
        toPlace.append(payload)
      } else if let refusal = refusal(of: payload.drop) {
        payload.drop.verdict = .rejected(refusal.code, message: refusal.message)
        toPlace.append(payload)
      } else if await !isConfigured(&payload) {
        continue
      } else if plan.handler == nil {
        payload.drop.verdict = .accepted(message: nil)
        toPlace.append(payload)
      } else {
        // What queues holds nothing open.
        payload.file = nil
        toHandle.append(payload)
      }
    }
    handleNext()
  }

  /// Asks the configuration about a reject that is tried again; what came from the zone was asked about at its release.
  /// Returns whether it goes on.
  private func isConfigured(_ payload: inout ClaimedPayload) async -> Bool {
    guard payload.drop.source != nil, plan.configuration != nil else { return true }
    let message: String
    switch await observer.configure(payload.drop) {
    case .nobody: return true
    case .bound(.take(_, let destination)):
      payload.wishedDirectory = destination
      return true
    case .bound(.refuse(let reason)):
      payload.drop.verdict = .rejected(.handler, message: reason)
      place(payload)
      return false
    case .bound(.stay(let reason)): message = reason
    case .late: message = "its configuration has not answered"
    }
    await waitInHand(payload, PayloadTrouble(waiting: .retry, message: message)) { await $0.judge([$1]) }
    return false
  }

  /// Looks at what an earlier process had in hand, each by itself and noted in the ledger: if this one dies as well, it
  /// is known over which. Handlers are asked about them afterwards.
  func judgeOneByOne(_ payloads: [ClaimedPayload]) async {
    // Others have their turn in between.
    for first in stride(from: 0, to: payloads.count, by: 64) where !isStopping {
      await judgeOneByOne(payloads[first..<min(first + 64, payloads.count)])
    }
  }

  private func judgeOneByOne(_ payloads: ArraySlice<ClaimedPayload>) async {
    await suspects.take()
    var looked: Drop?
    for var payload in payloads {
      if isStopping { break }
      payload.isRecovered = true
      let next = payload.drop
      var changes: [LedgerChange] = [.setStarts(next.starts + 1, of: next)]
      // The one before was inspected, and this process is still alive.
      if let looked { changes.append(.setStarts(looked.starts, of: looked)) }
      guard await commit(changes) else { break }
      looked = next
      await judge([payload])
    }
    if let looked {
      _ = await commit([.setStarts(looked.starts, of: looked)])
    }
    await suspects.leave()
  }

  /// Starts of the daemon that may die on one payload; at the next it is set aside.
  static let startsLimit = 2

  /// Types and, where it is wanted, digests the payload in the hold.
  nonisolated func inspect(into payload: ClaimedPayload) -> (ClaimedPayload, PayloadTrouble?) {
    var payload = payload
    do throws(Errno) {
      let file = if let open = payload.file { open } else { try openHeld(payload.drop) }
      payload.file = file
      if !payload.isJustClaimed {
        let status = try FileStatus.read(at: file.number)
        if payload.isRecovered, status.size != payload.drop.size {
          let message = "it had \(payload.drop.size) bytes when it was taken and has \(status.size) now"
          payload.drop.verdict = .rejected(.damagedByPowerCut, message: message)
          payload.drop.changed = status.changed
        } else {
          payload.drop.become(status)
        }
      }
      payload.isJustClaimed = false
      payload.isRecovered = false
      let (name, size) = (payload.drop.location.lastComponent, payload.drop.size)
      var whole: [UInt8]?
      let typed: TypedContent
      if let known = payload.typed {
        typed = known
      } else {
        (typed, whole) = try typer.inspect(at: file.descriptor, size: size, name: name)
      }
      // Only the look right after the claim is at the bytes that were typed before it.
      payload.typed = nil
      payload.drop.type = typed.type
      payload.drop.claimedType = typed.claimedType
      payload.drop.grade = typed.grade
      if settings.delivery.digest.isWanted(ofBytes: size) {
        payload.drop.sha256 =
          if let whole {
            try Digest.sha256(of: whole)
          } else {
            try Digest.sha256(of: file.descriptor, cancellation: cancellation)
          }
      }
    } catch {
      return (payload, PayloadTrouble(reading: payload.drop, error))
    }
    return (payload, nil)
  }

  nonisolated func openHeld(_ drop: Drop) throws(Errno) -> OpenFile {
    let path = RawPath(drop.holdPath).appending(RawPath(drop.entry))
    let held = try FileDescriptor.open(path, [.pathOnly, .noFollow])
    guard try FileStatus.read(at: held.number).kind == .regular else { throw .noEntry }
    return OpenFile(try held.reopened([.readOnly, .nonBlocking]))
  }

  private func refusal(of drop: Drop) -> AcceptRules.Refusal? {
    if case .rejected(let code, let message)? = drop.verdict { return (code, message) }
    if drop.links > 1, isForeignLink(drop) {
      return (.hardLinked, "it is a hard link to a file whose owner may not write to the directory it was dropped in")
    }
    let type = drop.type ?? "application/octet-stream"
    let typed = TypedContent(type: type, claimedType: drop.claimedType, grade: drop.grade ?? .unproved)
    return settings.accept.refusal(
      of: AcceptRules.Facts(
        size: drop.size, type: type, claimedType: drop.claimedType, grade: typed.grade,
        typeMatches: plan.takes(typed, name: drop.location.lastComponent, by: typer), ordinal: drop.ordinal))
  }

  /// A hard link to somebody else's file, made by one who may not have been allowed to read it.
  private func isForeignLink(_ drop: Drop) -> Bool {
    guard drop.source == nil, let root = try? Directory.open(drop.zonePath),
      let parent = try? FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory]),
      let directory = try? FileStatus.read(at: parent.number), let file = try? openHeld(drop),
      let status = try? FileStatus.read(at: file.number)
    else { return false }
    if status.owner == directory.owner || directory.mode & 0o002 != 0 { return false }
    return !(directory.mode & 0o020 != 0 && isMember(user: status.owner, of: directory.group))
  }

  /// Lets one payload wait in the hold and tries again, later each time; gone for good, it is recorded as lost by its holder.
  func waitInHand(
    _ payload: ClaimedPayload, _ trouble: PayloadTrouble,
    again: @escaping @Sendable (ZoneFlow, ClaimedPayload) async -> Void
  ) async {
    if trouble.isGone {
      await vanished(payload)
      return
    }
    var payload = payload
    payload.file = nil
    payload.back = payload.back == .zero ? .seconds(1) : min(payload.back * 2, trouble.longestBack)
    log.warning(
      "waits in the hold, tried again in \(payload.back.formatted): \(trouble.message)", zone: name,
      id: payload.drop.id,
      location: payload.drop.location)
    troubles[payload.drop.id] = trouble
    publishClaimedCount()
    let waiting = payload
    start { flow in
      guard await flow.pause(waiting.back) else { return }
      flow.waited(waiting.drop.id)
      await again(flow, waiting)
    }
  }

  func waited(_ id: DropID) {
    guard let trouble = troubles.removeValue(forKey: id), trouble.waiting == .blocked else { return }
    publishClaimedCount()
  }

  /// Somebody removed the payload from the hold: nothing is left to deliver.
  func vanished(_ payload: ClaimedPayload) async {
    log.warning("is gone from the hold", zone: name, id: payload.drop.id, location: payload.drop.location)
    let record = ReceiptRecord(
      payload.drop, outcome: .withdrawn, code: nil, message: nil, place: nil, finished: wallNow())
    await finish([(payload.drop, record)])
  }
}

/// What keeps one payload in hand waiting.
struct PayloadTrouble: Error {
  var waiting: Waiting
  var message: String
  var isGone = false

  init(waiting: Waiting, message: String, isGone: Bool = false) {
    self.waiting = waiting
    self.message = message
    self.isGone = isGone
  }

  /// Why a payload in the hold cannot be read. It is gone only from a hold that is there: others come back with it.
  init(reading drop: Drop, _ error: Errno) {
    if error == .noEntry, !drop.isHoldThere {
      self.init(waiting: .blocked, message: "its hold '\(Escaping.escape(drop.holdPath))' is not there")
    } else {
      self.init(waiting: .retry, message: "it cannot be read: \(error)", isGone: error == .noEntry)
    }
  }

  /// A writer is asked for every 5 seconds at the latest, a place every 30, a payload every minute.
  var longestBack: Duration {
    switch waiting {
    case .writer: .seconds(5)
    case .blocked: .seconds(30)
    default: .seconds(60)
    }
  }
}
