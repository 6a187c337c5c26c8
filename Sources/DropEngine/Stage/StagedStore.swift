/// The staged payloads of a zone, counted, by directory and name and by the time they are to be looked at.
struct StagedStore: Sendable {
  private(set) var count = 0
  private(set) var arriving = 0
  /// Those that wait for a place, or to be tried again.
  private(set) var inTrouble = 0
  /// Bytes of all: a few sparse files are more than `Int64` holds.
  private var total: Int128 = 0
  private var directories: [Int32: [RawPath: Int32]] = [:]
  private var slots = StagedSlots()
  private var temporaries: [Int32: TemporaryIndex] = [:]
  private var deadlines = DeadlineHeap<PayloadKey>()
  private let tiesOfTemporary: @Sendable (RawPath) -> [NameTie]

  init(tiesOfTemporary: @escaping @Sendable (RawPath) -> [NameTie]) {
    self.tiesOfTemporary = tiesOfTemporary
  }

  subscript(key: PayloadKey) -> StagedPayload? {
    directories[key.directory]?[key.name].map { slots[$0] }
  }

  var bytes: Int64 { Int64(clamping: total) }

  func names(in directory: Int32) -> [RawPath] {
    directories[directory].map { Array($0.keys) } ?? []
  }

  var all: some Sequence<(key: PayloadKey, payload: StagedPayload)> {
    directories.lazy.flatMap { directory, names in
      names.lazy.map { (key: PayloadKey(directory: directory, name: $0.key), payload: slots[$0.value]) }
    }
  }

  func map<Result>(oldest limit: Int, _ transform: (PayloadKey, StagedPayload) -> Result) -> [Result] {
    let end = count > limit ? directories.values.flatMap { $0.values.map { slots[$0].age } }.sorted(by: <)[limit] : nil
    var results: [Result] = []
    results.reserveCapacity(min(count, limit))
    for (directory, names) in directories {
      for (name, slot) in names {
        let payload = slots[slot]
        if let end, payload.age >= end { continue }
        results.append(transform(PayloadKey(directory: directory, name: name), payload))
      }
    }
    return results
  }

  // MARK: - One of them

  mutating func keep(_ key: PayloadKey, _ payload: StagedPayload) {
    var payload = payload
    var old: StagedPayload?
    if let slot = directories[key.directory]?[key.name] {
      let known = slots[slot]
      if known.nextInspection != payload.nextInspection { payload.stamp = known.stamp &+ 1 }
      slots[slot] = payload
      old = known
    } else {
      directories[key.directory, default: [:]][key.name] = slots.insert(payload)
    }
    if let old { tally(old, -1) }
    tally(payload, 1)
    index(key, old, payload)
    if old?.nextInspection != payload.nextInspection, let next = payload.nextInspection {
      remember(next, key, payload.stamp)
    }
  }

  @discardableResult mutating func remove(_ key: PayloadKey) -> StagedPayload? {
    guard let slot = directories[key.directory]?.removeValue(forKey: key.name) else { return nil }
    if directories[key.directory]?.isEmpty == true { directories[key.directory] = nil }
    let payload = slots.remove(slot)
    tally(payload, -1)
    waits(key, for: nil)
    index(key, payload, nil)
    return payload
  }

  private mutating func tally(_ payload: StagedPayload, _ by: Int) {
    count += by
    total += Int128(payload.status.size) * Int128(by)
    if payload.waiting.isArriving { arriving += by }
    if payload.waiting.isTrouble { inTrouble += by }
  }

  // MARK: - Deadlines

  var nextDeadline: Duration? { deadlines.first }

  mutating func inspectSoon(at key: PayloadKey, _ now: Duration) {
    guard var payload = self[key] else { return }
    payload.nextInspection = now
    keep(key, payload)
  }

  /// Those that are due together are in the order in which they came.
  mutating func due(at now: Duration, limit: Int) -> [PayloadKey] {
    var due: [(key: PayloadKey, age: (Int64, DropID))] = []
    while due.count < limit, let entry = deadlines.pop(until: now) {
      guard let payload = self[entry.key], payload.stamp == entry.stamp else { continue }
      due.append((entry.key, payload.age))
    }
    due.sort { $0.age < $1.age }
    return due.map(\.key)
  }

  /// A file that is written for long changes its mind often: what it thought before must not pile up.
  ///
  /// Called once the payload is kept: only deadlines that a kept one has are.
  private mutating func remember(_ deadline: Duration, _ key: PayloadKey, _ stamp: UInt32) {
    deadlines.push(deadline, key, stamp)
    guard deadlines.count > 4 * count + 1024 else { return }
    var current = deadlines
    current.keep { self[$0.key]?.stamp == $0.stamp }
    deadlines = current
  }

  // MARK: - Temporary names

  /// What a name has in common with a temporary one beside it, and with a transfer that goes on.
  func temporary(of key: PayloadKey) -> (any: NameTie?, transfer: NameTie?) {
    temporaries[key.directory]?.temporary(of: key.name) ?? (nil, nil)
  }

  /// Looks at it again when the temporary names that have this tie are gone, or have stalled.
  mutating func waits(_ key: PayloadKey, for tie: NameTie?) {
    temporaries[key.directory]?.wait(key.name, for: tie)
    if temporaries[key.directory]?.isEmpty == true { temporaries[key.directory] = nil }
  }

  private mutating func index(_ key: PayloadKey, _ old: StagedPayload?, _ new: StagedPayload?) {
    guard old?.isTemporary != new?.isTemporary || old?.isTransfer != new?.isTransfer else { return }
    let ties = tiesOfTemporary(key.name)
    // The new one first: what is only seen anew is not gone meanwhile.
    if let new, new.isTemporary {
      temporaries[key.directory, default: TemporaryIndex()].add(ties, isTransfer: new.isTransfer)
    }
    guard let old, old.isTemporary else { return }
    let released = temporaries[key.directory]?.remove(ties, wasTransfer: old.isTransfer) ?? []
    for name in released { inspectSoon(at: PayloadKey(directory: key.directory, name: name), .zero) }
    if temporaries[key.directory]?.isEmpty == true { temporaries[key.directory] = nil }
  }
}

extension StagedPayload {
  fileprivate var isTemporary: Bool { if case .temporary = name { true } else { false } }

  /// Whether it is a transfer that goes on, as far as is known.
  fileprivate var isTransfer: Bool { isTemporary && waiting != .stalled }
}
