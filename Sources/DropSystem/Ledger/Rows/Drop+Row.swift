import DropEngine

/// The columns of `drops`, the payloads in hand.
enum DropColumn: Int32, LedgerColumn {
  case id, zone, location, state, operation, zonePath, boxPath, rejectsPath, holdPath, holdInode, holdBirth, entry
  case inode, birth, size, modified, changed, links
  case attempts, starts, ordinal, firstSeen, released, evidence, afterCrash, isForced
  case type, claimedType, grade, sha256, verdict, message
  case destinationRoot, destinationDirectory, destinationName, copyInode
  case warnings, handlerExit, handlerSignal, handlerOutput
  case source, originalInode, originalBirth, originalSize, originalModified, originalChanged, originalSHA256

  static let table = LedgerTable<DropColumn>("drops")
}

extension Drop {
  var row: LedgerValues<DropColumn> {
    var row = LedgerValues<DropColumn>()
    row[.id] = .text(id.description)
    row[.zone] = .text(zone)
    row[.location] = .blob(location.bytes)
    row[.state] = .text(state.rawValue)
    row[.operation] = .text(operation.rawValue)
    row[.zonePath] = .text(zonePath)
    row[.boxPath] = .text(boxPath)
    row[.rejectsPath] = .text(rejectsPath)
    row[.holdPath] = .text(holdPath)
    row[.holdInode] = .integer(orNull: holdIdentity.map { Int64(bitPattern: $0.inode) })
    row[.holdBirth] = .integer(orNull: holdIdentity?.birth)
    row[.entry] = .text(entry)
    row[.inode] = .integer(Int64(bitPattern: inode))
    row[.birth] = .integer(birth)
    row[.size] = .integer(size)
    row[.modified] = .integer(modified)
    row[.changed] = .integer(changed)
    row[.links] = .integer(Int64(links))
    row[.attempts] = .integer(Int64(attempts))
    row[.starts] = .integer(Int64(starts))
    row[.ordinal] = .integer(Int64(ordinal))
    row[.firstSeen] = .integer(firstSeen)
    row[.released] = .integer(released)
    row[.evidence] = .text(evidence.rawValue)
    row[.afterCrash] = .integer(afterCrash ? 1 : 0)
    row[.isForced] = .integer(isForced ? 1 : 0)
    putDecision(into: &row)
    row.put(warnings: warnings, .warnings)
    row.put(handler, exit: .handlerExit, signal: .handlerSignal, output: .handlerOutput)
    row[.source] = .blob(orNull: source?.bytes)
    if let original { put(original, into: &row) }
    return row
  }

  private func putDecision(into row: inout LedgerValues<DropColumn>) {
    row[.type] = .text(orNull: type)
    row[.claimedType] = .text(orNull: claimedType)
    row[.grade] = .text(orNull: grade?.rawValue)
    row[.sha256] = .text(orNull: sha256)
    switch verdict {
    case nil: break
    case .accepted(let message):
      row[.verdict] = .text("accepted")
      row[.message] = .text(orNull: message)
    case .rejected(let code, let message):
      row[.verdict] = .text(code.rawValue)
      row[.message] = .text(message)
    }
    row[.destinationRoot] = .text(orNull: destinationRoot)
    row[.destinationDirectory] = .blob(destinationDirectory.bytes)
    row[.destinationName] = .blob(orNull: destinationName?.bytes)
    row[.copyInode] = .integer(orNull: copyInode.map { Int64(bitPattern: $0) })
  }

  private func put(_ original: Original, into row: inout LedgerValues<DropColumn>) {
    row[.originalInode] = .integer(Int64(bitPattern: original.inode))
    row[.originalBirth] = .integer(original.birth)
    row[.originalSize] = .integer(orNull: original.size)
    row[.originalModified] = .integer(original.modified)
    row[.originalChanged] = .integer(original.changed)
    row[.originalSHA256] = .text(orNull: original.sha256)
  }
}

extension Drop {
  /// Nil for a row without a valid id, which nothing can refer to.
  init?(_ row: borrowing SQLiteRow<DropColumn>) {
    guard let id = DropID(row.text(.id)) else { return nil }
    self.init(
      id: id, zone: row.text(.zone), location: RawPath(bytes: row.blob(.location)),
      state: State(rawValue: row.text(.state)) ?? .claiming,
      operation: DeliveryRules.Operation(rawValue: row.text(.operation)) ?? .move, zonePath: row.text(.zonePath),
      boxPath: row.text(.boxPath), rejectsPath: row.text(.rejectsPath), holdPath: row.text(.holdPath),
      entry: row.text(.entry), inode: row.inode(.inode), birth: row.integer(.birth), size: row.integer(.size),
      modified: row.integer(.modified), firstSeen: row.integer(.firstSeen), released: row.integer(.released),
      evidence: Evidence(rawValue: row.text(.evidence)) ?? .quietOnly)
    if let inode = row.inodeIfAny(.holdInode) {
      holdIdentity = StoredIdentity(inode: inode, birth: row.integer(.holdBirth))
    }
    changed = row.integer(.changed)
    links = UInt32(clamping: row.integer(.links))
    attempts = Int(row.integer(.attempts))
    starts = Int(row.integer(.starts))
    ordinal = Int(row.integer(.ordinal))
    afterCrash = row.integer(.afterCrash) != 0
    isForced = row.integer(.isForced) != 0
    takeDecision(from: row)
    warnings = row.warnings(.warnings)
    handler = row.handler(exit: .handlerExit, signal: .handlerSignal, output: .handlerOutput)
    source = row.pathIfAny(.source)
    original = Original(row)
  }

  private mutating func takeDecision(from row: borrowing SQLiteRow<DropColumn>) {
    type = row.textIfAny(.type)
    claimedType = row.textIfAny(.claimedType)
    grade = row.textIfAny(.grade).flatMap(Grade.init)
    sha256 = row.textIfAny(.sha256)
    if let text = row.textIfAny(.verdict) {
      let message = row.textIfAny(.message)
      verdict = ReasonCode(rawValue: text).map { .rejected($0, message: message ?? "") } ?? .accepted(message: message)
    }
    destinationRoot = row.textIfAny(.destinationRoot)
    destinationDirectory = RawPath(bytes: row.blob(.destinationDirectory))
    destinationName = row.pathIfAny(.destinationName)
    copyInode = row.inodeIfAny(.copyInode)
  }
}

extension Drop.Original {
  /// Nil for a payload that is no copy.
  fileprivate init?(_ row: borrowing SQLiteRow<DropColumn>) {
    guard let inode = row.inodeIfAny(.originalInode) else { return nil }
    self.init(
      inode: inode, birth: row.integer(.originalBirth), modified: row.integer(.originalModified),
      changed: row.integer(.originalChanged))
    size = row.integerIfAny(.originalSize)
    sha256 = row.textIfAny(.originalSHA256)
  }
}
