import DropEngine

/// What really happened to each payload, told apart by its bytes: each one's are those of a source of its own.
struct Witness {
  struct Known {
    var content: Content
    var state = State.expected
    /// Whether the ledger answers for it, so that a power cut may not take it.
    var isOwned = false
    /// Whether its original stays in the zone, or goes back there.
    var isCopied = false
    /// Whether its sender gave it several names, each of which is a drop.
    var isLinked = false
    /// Whether it may have an id for each of its names: its sender renamed it, or a power cut undid a removal.
    var isRenamed = false
    var hasLostOriginal = false
  }

  enum State: Hashable {
    /// Somewhere, with all its bytes.
    case expected
    /// It may be anywhere or nowhere.
    case optional
    case gone
    case takenByReader(FileReference)
    case takenByHandler
  }

  private(set) var payloads: [Known] = []
  /// The bytes that were judged last, by the number of the drop.
  private(set) var lastChecked: [(id: DropID, content: Content)] = []
  private var checked: [Content] = []
  private var accepted: [Content] = []
  /// Files in the box that others put there.
  private(set) var foreign: [FileReference] = []
  /// What an operator asked for again, by id.
  private(set) var retried: [DropID] = []
  private(set) var forced: [DropID] = []
  /// Whether a power cut met files that nobody had asked to keep.
  private(set) var isLenient = false
  private(set) var hasRenamed = false
  /// Whether recovery has not finished after a power cut.
  var isAfterCut = false
  private(set) var violation: Violation?

  mutating func report(_ rule: Violation.Rule, _ detail: String) {
    if violation == nil { violation = Violation(rule: rule, detail: detail) }
  }

  // MARK: - What senders do

  mutating func newContent(length: UInt32) -> Content {
    let content = Content(source: UInt32(payloads.count + 1), length: length)
    payloads.append(Known(content: content))
    return content
  }

  func known(_ content: Content) -> Known? { indexOfWhole(content).map { payloads[$0] } }

  func index(of content: Content) -> Int? {
    let index = Int(content.source) - 1
    return payloads.indices.contains(index) ? index : nil
  }

  /// The same if the payload has just these bytes, and not some of them.
  func indexOfWhole(_ content: Content) -> Int? {
    index(of: content).flatMap { payloads[$0].content == content ? $0 : nil }
  }

  /// The sender wrote more, or less, to a file.
  mutating func rewritten(_ old: Content, _ new: Content) {
    guard let index = index(of: old) else { return }
    if new.source == old.source {
      payloads[index].content = new
      // What its reader has is a copy of what it was before.
      if case .takenByReader = payloads[index].state { payloads[index].state = .expected }
    } else {
      payloads[index].state = .gone
    }
    payloads[index].isOwned = false
  }

  /// The sender's own name of a file is gone.
  mutating func removedBySender(_ content: Content, isElsewhere: Bool) {
    guard let index = index(of: content) else { return }
    payloads[index].state = isElsewhere ? .optional : .gone
  }

  mutating func linked(_ content: Content) {
    if let index = index(of: content) { payloads[index].isLinked = true }
  }

  /// A copy's original is known by its location in this model, and so is another drop under another name.
  mutating func renamed(_ content: Content, isCopied: Bool) {
    guard let index = index(of: content) else { return }
    payloads[index].isRenamed = true
    if isCopied { payloads[index].isLinked = true }
  }

  mutating func addForeign(_ file: FileReference) { foreign.append(file) }

  // MARK: - What readers and operators do

  mutating func readerTook(_ content: Content, _ file: FileReference) {
    guard let index = indexOfWhole(content), !foreign.contains(file) else { return }
    if payloads[index].state == .expected { payloads[index].state = .takenByReader(file) }
  }

  mutating func asked(again id: DropID, force: Bool) {
    retried.append(id)
    if force { forced.append(id) }
  }

  // MARK: - What handlers do

  /// The bytes that a handler puts in place of others.
  mutating func handlerChanges(_ old: Content) -> Content {
    let new = newContent(length: old.length + 1)
    payloads[Int(new.source) - 1].state = .optional
    payloads[Int(new.source) - 1].isLinked = known(old)?.isLinked ?? false
    if let index = index(of: old) { payloads[index].state = .optional }
    return new
  }

  /// What a crash finds under another name in the hold is not in the ledger.
  mutating func handlerRenames() { hasRenamed = true }

  mutating func handlerTakes(_ drop: Drop, _ content: Content) {
    // An original that is still there is asked about again if the answer does not arrive.
    if let index = indexOfWhole(content) { payloads[index].state = drop.original == nil ? .takenByHandler : .optional }
  }

  // MARK: - What the daemon does

  mutating func checked(_ content: Content, of id: DropID) {
    if !checked.contains(content) { checked.append(content) }
    noteLast(content, of: id)
  }

  mutating func noteLast(_ content: Content, of id: DropID) {
    if let index = lastChecked.firstIndex(where: { $0.id == id }) {
      lastChecked[index].content = content
    } else {
      lastChecked.append((id, content))
    }
  }

  func content(of id: DropID) -> Content? { lastChecked.first { $0.id == id }?.content }

  mutating func accepted(_ content: Content) { accepted.append(content) }

  func isJudged(_ content: Content, hasHandler: Bool) -> Bool {
    guard checked.contains(content) else { return false }
    if !hasHandler || accepted.contains(content) { return true }
    return forced.contains { id in lastChecked.contains { $0.id == id && $0.content == content } }
  }

  /// - Parameter held: The bytes that a row's payload has in the hold.
  mutating func committed(_ drop: Drop, held: Content?, isDurable: Bool) {
    guard let content = content(of: drop.id), let index = indexOfWhole(content) else { return }
    let isDecided = drop.state == .placing || drop.state == .copied || drop.state == .placed
    if drop.operation == .copy, isDecided { payloads[index].isCopied = true }
    guard isDurable, isDecided || drop.original == nil else { return }
    // A claim is committed before the payload is in the hold.
    guard held == content || drop.state == .claiming && held == nil && payloads[index].state == .expected else {
      return
    }
    payloads[index].isOwned = true
    if isDecided, payloads[index].state == .optional, !payloads[index].isCopied { payloads[index].state = .expected }
  }

  mutating func committed(_ record: ReceiptRecord) {
    guard record.operation == .copy, let content = content(of: record.id), let index = index(of: content) else {
      return
    }
    payloads[index].isCopied = true
  }

  /// An original goes whose copy has its verdict; a power cut may bring it back as another drop.
  mutating func removedOriginal(_ content: Content) {
    if let index = index(of: content) { payloads[index].hasLostOriginal = true }
  }

  /// The ledger had no room at the start, and so nothing kept the scan from taking it again.
  mutating func recoversLate(_ id: DropID) {
    guard let content = content(of: id), let index = indexOfWhole(content) else { return }
    payloads[index].isRenamed = true
  }

  mutating func willRename(
    from source: NamedPlace, to target: NamedPlace, replacing: Bool, _ payload: Payload, _ machine: Machine
  ) {
    guard source.folder.disk == target.folder.disk, let file = machine.find(source.name, in: source.folder) else {
      return
    }
    if replacing, let other = machine.find(target.name, in: target.folder), other != file {
      if machine.setup.collision != .replace { report(.replaced, "a file in the box by \(payload.drop.id)") }
      if let index = index(of: machine[other].content) { payloads[index].state = .gone }
    }
    guard machine.place(of: target.folder) == .box, let index = indexOfWhole(machine[file].content) else {
      return
    }
    if case .takenByReader = payloads[index].state, !payloads[index].isLinked {
      report(.deliveredTwice, "the reader of the box has taken \(machine[file].content) already")
    }
  }

  mutating func foundOrphan(_ id: DropID) {
    if !isLenient, !hasRenamed { report(.leftover, "\(id) lies in the hold without a row") }
  }

  // MARK: - Power cuts

  mutating func survivedCut(_ machine: Machine) {
    isAfterCut = true
    let census = Census(machine)
    if !machine.setup.isDurable { isLenient = true }
    for index in payloads.indices {
      // A sender's rename that the cut has kept by halves makes two names of its file.
      if payloads[index].isRenamed && census[index].zone > 1
        || payloads[index].hasLostOriginal && census[index].zone > 0
      {
        payloads[index].isLinked = true
      }
      switch payloads[index].state {
      case .expected where isLenient || hasRenamed || payloads[index].isLinked, .takenByReader where isLenient:
        payloads[index].state = .optional
      // A snapshot without a verdict is nothing yet.
      case .expected where !payloads[index].isOwned && census[index].zone == 0:
        payloads[index].state = census.isAnywhere(index) ? .optional : .gone
      case .takenByReader(let file): cutAfterReader(index, file, machine)
      // The cut has undone what its handler did.
      case .takenByHandler where census.isAnywhere(index) && !hasReceipt(index, [.taken, .failed], machine):
        payloads[index].state = .optional
      default: break
      }
    }
  }

  /// A reader that took a file before the daemon's syncs may see it again: that is beyond anyone's power. After the
  /// receipt it is not.
  private mutating func cutAfterReader(_ index: Int, _ file: FileReference, _ machine: Machine) {
    let names = machine.disks[file.disk].entries.filter { $0.file == file.id }
    guard !names.isEmpty else { return }
    let isBackInBox = names.contains {
      machine.place(of: Folder(disk: file.disk, id: $0.directory)) == .box
        && machine.names.kind(of: $0.name) == .ordinary
    }
    if isBackInBox || !hasReceipt(index, [.delivered], machine) {
      payloads[index].state = isLenient ? .optional : .expected
      payloads[index].isRenamed = payloads[index].isRenamed || isBackInBox
    }
  }

  private func hasReceipt(_ index: Int, _ outcomes: Set<Receipt.Outcome>, _ machine: Machine) -> Bool {
    lastChecked.contains {
      $0.content == payloads[index].content
        && machine.ledger.outcome(of: $0.id).map { outcomes.contains($0.outcome) } ?? false
    }
  }
}
