import DropEngine

/// The columns of `receipts`.
enum ReceiptColumn: Int32, LedgerColumn {
  case sequence, id, zone, location, bytes, sha256, type, claimedType, grade, operation
  case outcome, code, message, place, evidence, attempts, firstSeen, released, finished, afterCrash
  case warnings, handlerExit, handlerSignal, handlerOutput
  case inode, birth, modified, zonePath, boxPath, rejectsPath, replaced

  static let table = LedgerTable<ReceiptColumn>("receipts")
}

extension ReceiptRecord {
  /// Without its sequence number, which the database assigns.
  var row: LedgerValues<ReceiptColumn> {
    var row = LedgerValues<ReceiptColumn>()
    row[.id] = .text(id.description)
    row[.zone] = .text(zone)
    row[.location] = .blob(location.bytes)
    row[.bytes] = .integer(bytes)
    row[.sha256] = .text(orNull: sha256)
    row[.type] = .text(orNull: type)
    row[.claimedType] = .text(orNull: claimedType)
    row[.grade] = .text(orNull: grade?.rawValue)
    row[.operation] = .text(operation.rawValue)
    row[.outcome] = .text(outcome.rawValue)
    row[.code] = .text(orNull: code?.rawValue)
    row[.message] = .text(orNull: message)
    row[.place] = .blob(orNull: place?.bytes)
    row[.evidence] = .text(orNull: evidence?.rawValue)
    row[.attempts] = .integer(Int64(attempts))
    row[.firstSeen] = .integer(firstSeen)
    row[.released] = .integer(orNull: released)
    row[.finished] = .integer(finished)
    row[.afterCrash] = .integer(afterCrash ? 1 : 0)
    row.put(warnings: warnings, .warnings)
    row.put(handler, exit: .handlerExit, signal: .handlerSignal, output: .handlerOutput)
    row[.inode] = .integer(Int64(bitPattern: inode))
    row[.birth] = .integer(birth)
    row[.modified] = .integer(modified)
    row[.zonePath] = .text(zonePath)
    row[.boxPath] = .text(boxPath)
    row[.rejectsPath] = .text(rejectsPath)
    row[.replaced] = .integer(replaced ? 1 : 0)
    return row
  }

  /// Nil for a row without a valid id or outcome.
  init?(_ row: borrowing SQLiteRow<ReceiptColumn>) {
    guard let id = DropID(row.text(.id)), let outcome = Receipt.Outcome(rawValue: row.text(.outcome)) else {
      return nil
    }
    self.init(
      sequence: row.integer(.sequence), id: id, zone: row.text(.zone), location: RawPath(bytes: row.blob(.location)),
      bytes: row.integer(.bytes), sha256: row.textIfAny(.sha256), type: row.textIfAny(.type),
      claimedType: row.textIfAny(.claimedType), grade: row.textIfAny(.grade).flatMap(Grade.init),
      operation: DeliveryRules.Operation(rawValue: row.text(.operation)) ?? .move, outcome: outcome,
      code: row.textIfAny(.code).flatMap(ReasonCode.init), message: row.textIfAny(.message),
      place: row.pathIfAny(.place), evidence: row.textIfAny(.evidence).flatMap(Evidence.init),
      attempts: Int(row.integer(.attempts)), firstSeen: row.integer(.firstSeen),
      released: row.integerIfAny(.released), finished: row.integer(.finished),
      afterCrash: row.integer(.afterCrash) != 0, warnings: row.warnings(.warnings),
      handler: row.handler(exit: .handlerExit, signal: .handlerSignal, output: .handlerOutput),
      inode: row.inode(.inode), birth: row.integer(.birth), modified: row.integer(.modified),
      zonePath: row.text(.zonePath), boxPath: row.text(.boxPath), rejectsPath: row.text(.rejectsPath),
      replaced: row.integer(.replaced) != 0)
  }
}
