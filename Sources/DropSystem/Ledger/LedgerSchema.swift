/// The tables. Times are milliseconds since 1970; names and locations are bytes.
enum LedgerSchema {
  static let sql = """
    CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    -- What is in hand: a row from the claim to the receipt.
    CREATE TABLE IF NOT EXISTS drops(
      id TEXT PRIMARY KEY, zone TEXT NOT NULL, location BLOB NOT NULL, state TEXT NOT NULL, operation TEXT NOT NULL,
      zonePath TEXT NOT NULL, boxPath TEXT NOT NULL, rejectsPath TEXT NOT NULL, holdPath TEXT NOT NULL,
      entry TEXT NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL, size INTEGER NOT NULL,
      modified INTEGER NOT NULL, changed INTEGER NOT NULL, links INTEGER NOT NULL, attempts INTEGER NOT NULL,
      starts INTEGER NOT NULL, firstSeen INTEGER NOT NULL, released INTEGER NOT NULL, evidence TEXT NOT NULL,
      afterCrash INTEGER NOT NULL, isForced INTEGER NOT NULL, type TEXT, claimedType TEXT, grade TEXT, sha256 TEXT,
      verdict TEXT, message TEXT, destinationRoot TEXT, destinationDirectory BLOB, destinationName BLOB,
      copyInode INTEGER, warnings TEXT, handlerExit INTEGER, handlerSignal INTEGER, handlerOutput TEXT,
      source BLOB, originalInode INTEGER, originalBirth INTEGER, originalModified INTEGER, originalChanged INTEGER
    ) WITHOUT ROWID;
    -- Only ever added to; the last line of an id is its outcome.
    CREATE TABLE IF NOT EXISTS receipts(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, zone TEXT NOT NULL, location BLOB NOT NULL,
      bytes INTEGER NOT NULL, sha256 TEXT, type TEXT, claimedType TEXT, grade TEXT, operation TEXT NOT NULL,
      outcome TEXT NOT NULL, code TEXT, message TEXT, place BLOB, evidence TEXT, attempts INTEGER NOT NULL,
      firstSeen INTEGER NOT NULL, released INTEGER, finished INTEGER NOT NULL, afterCrash INTEGER NOT NULL,
      warnings TEXT, handlerExit INTEGER, handlerSignal INTEGER, handlerOutput TEXT,
      inode INTEGER NOT NULL, birth INTEGER NOT NULL, modified INTEGER NOT NULL,
      zonePath TEXT NOT NULL, boxPath TEXT NOT NULL, rejectsPath TEXT NOT NULL, replaced INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS receiptsById ON receipts(id);
    CREATE INDEX IF NOT EXISTS receiptsByZone ON receipts(zone, sequence);
    CREATE TABLE IF NOT EXISTS totals(
      zone TEXT PRIMARY KEY, accepted INTEGER NOT NULL, rejected INTEGER NOT NULL) WITHOUT ROWID;
    -- What goes with a payload that was put back or found again: its id, and how often it was tried.
    CREATE TABLE IF NOT EXISTS attempts(
      zone TEXT NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL, location BLOB NOT NULL, id TEXT NOT NULL,
      attempts INTEGER NOT NULL, starts INTEGER NOT NULL, noted INTEGER NOT NULL,
      PRIMARY KEY(zone, inode, birth)) WITHOUT ROWID;
    -- Originals that were copied, and what was put back by undo: not taken again until they change.
    CREATE TABLE IF NOT EXISTS taken(
      zone TEXT NOT NULL, location BLOB NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, sha256 TEXT, id TEXT NOT NULL,
      PRIMARY KEY(zone, location)) WITHOUT ROWID;
    -- Roots that were mount points when they were opened.
    CREATE TABLE IF NOT EXISTS mounts(path TEXT PRIMARY KEY) WITHOUT ROWID;
    """
}
