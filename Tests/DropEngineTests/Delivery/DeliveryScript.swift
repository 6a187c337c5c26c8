@testable import DropEngine

/// A delivery whose steps succeed, except where a test answers otherwise, and the ledger that its commits make.
struct DeliveryScript {
  var delivery: Delivery
  /// What was done so far.
  private(set) var outline: [String] = []
  /// The payload's row in the ledger.
  private(set) var row: Drop?
  private(set) var receipts: [ReceiptRecord] = []
  private(set) var notes: [CopiedOriginal] = []
  /// More steps than any delivery has, so that one that goes in a circle ends.
  private static let limit = 100
  /// The answers that are not success, each of which is given once.
  private var answers: [(step: String, event: Delivery.Event)] = []
  /// What is seen of the payload's names, for whatever looks.
  var found = Delivery.Found()
  var now: Int64 = 1_000

  init(_ delivery: Delivery, row: Drop? = nil) {
    self.delivery = delivery
    self.row = row
  }

  /// A payload that the ledger has a row of, after a crash that left it under these names.
  init(recovering row: Drop, found: Delivery.Found, policy: DeliveryPolicy = .plain, afterCleanStop: Bool = false) {
    self.init(Delivery(recovering: row, policy: policy, afterCleanStop: afterCleanStop), row: row)
    self.found = found
  }

  /// Answers a step otherwise than with success when it comes; a second answer is for its second time.
  func answering(_ step: String, _ event: Delivery.Event) -> DeliveryScript {
    var script = self
    script.answers.append((step, event))
    return script
  }

  func failing(_ step: String, _ kind: Delivery.Failure.Kind) -> DeliveryScript {
    answering(step, .failed(.init(kind, "why")))
  }

  var next: String { delivery.step.outline }
  var drop: Drop { delivery.drop }

  /// Does the next step, and reports what came of it.
  @discardableResult
  mutating func perform() -> Delivery.Event {
    let step = next
    let answer = answers.firstIndex { $0.step == step }
    let event = answer.map { answers.remove(at: $0).event } ?? success
    report(event)
    return event
  }

  /// Reports what came of the next step.
  mutating func report(_ event: Delivery.Event) {
    outline.append(next)
    if case .commit(let changes) = delivery.step, case .done = event { changes.forEach { apply($0) } }
    delivery.receive(event, at: now)
  }

  /// Does everything up to the end, and returns what was done; the end is the last of it.
  mutating func finish() -> [String] {
    while !delivery.isEnded, outline.count < Self.limit { perform() }
    return outline + [next]
  }

  /// Does everything up to a step, and leaves that to be done.
  ///
  /// - Parameter done: The step right before it, where it comes more than once.
  mutating func advance(to step: String, after done: String? = nil) throws(NeverReached) {
    while !isAt(step, after: done) {
      if delivery.isEnded || outline.count == Self.limit { throw NeverReached(step: step, outline: outline + [next]) }
      perform()
    }
  }

  struct NeverReached: Error {
    var step: String
    var outline: [String]
  }

  private func isAt(_ step: String, after done: String?) -> Bool {
    next == step && (done == nil || outline.last == done)
  }

  /// What is done after a step that is answered otherwise than with success; to the end, which is the last of it.
  func after(_ step: String, _ event: Delivery.Event) throws(NeverReached) -> [String] {
    var script = self
    try script.advance(to: step)
    let count = script.outline.count + 1
    script.report(event)
    return Array(script.finish().dropFirst(count))
  }

  func after(_ step: String, _ kind: Delivery.Failure.Kind) throws(NeverReached) -> [String] {
    try after(step, .failed(.init(kind, "why")))
  }

  private mutating func apply(_ change: LedgerChange) {
    switch change {
    case .put(let drop): row = drop
    case .remove: row = nil
    case .removeIfState(_, let state): if row?.state == state { row = nil }
    case .setStarts(let starts, _, let attempts): if row?.attempts == attempts { row?.starts = starts }
    case .addReceipt(let record): receipts.append(record)
    case .putOriginal(let note), .putCopiedOriginal(let note): notes.append(note)
    case .removeOriginal(_, let location, _): notes.removeAll { $0.location == location }
    case .putAttempts, .removeAttempts, .setMeta, .setMountPoint: break
    }
  }

  private var success: Delivery.Event {
    switch delivery.step {
    case .rename(.temporary, _, _), .rename(.halfCopy, _, _):
      .renamed(.test(drop, inode: drop.copyInode ?? drop.inode))
    case .rename: .renamed(.test(drop))
    case .copy: .copied(Delivery.Copy(status: .copy(of: drop), sha256: "copied"))
    case .check:
      .checked(
        Delivery.Content(
          status: delivery.isJustClaimed ? nil : found.held ?? .test(drop),
          typed: TypedContent(type: "application/pdf", claimedType: nil, grade: .proved)))
    case .configure: .configured(.take(directory: nil))
    case .awaitWorker: .workerFree
    case .ask: .answered(.accepted(HandlerAnswer()), report: nil, retryAfter: nil)
    case .inspect: .inspected(.same, nameIsFree: true)
    case .choose(let number), .chooseForCopy(let number): .chosen(.test(delivery, number: number))
    case .compare: .compared(identical: nil, sha256: "compared", others: [])
    case .chooseReturnName(let number): .returnNameChosen(number)
    case .findNames: .found(found)
    case .wait: .resumed
    default: .done
    }
  }
}

extension Delivery.Destination {
  /// The name that a payload gets: its own, or one with a number.
  static func test(_ delivery: Delivery, number: Int) -> Self {
    .init(
      root: delivery.rootPath, directory: delivery.wishes.directory ?? RawPath(bytes: []),
      name: FreeName.candidate(delivery.wishes.name ?? delivery.drop.location.lastComponent, number: number),
      number: number, replaces: false)
  }
}

extension FileStatus {
  /// The file that a row describes.
  static func test(_ drop: Drop, inode: UInt64? = nil, size: Int64? = nil) -> FileStatus {
    FileStatus(
      kind: .regular, identity: FileIdentity(device: 1, inode: inode ?? drop.inode, birth: drop.birth),
      size: size ?? drop.size, modified: drop.modified, changed: drop.changed, links: drop.links)
  }

  static func copy(of drop: Drop) -> FileStatus { .test(drop, inode: DeliveryScript.copyInode) }
}
