/// The ledger's tables. Times are milliseconds since 1970; those of files are nanoseconds. Names and locations are
/// bytes.
enum LedgerSchema {
  /// The version that this program writes. A ledger of an earlier one is brought up to it when it is opened.
  static var version: Int64 { Int64(steps.count) }

  /// What each version adds to the one before it, from version 1.
  ///
  /// A new ledger goes through the same steps, so that it never differs from an old one. Steps that have been released
  /// are never changed.
  static let steps = [version1, version2]

  /// What recovery needs: the payload's number in its session, the hold's identity, and what the original of a copy was
  /// before the copy was changed.
  private static let version2 = """
    ALTER TABLE drops ADD COLUMN ordinal INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE drops ADD COLUMN holdInode INTEGER;
    ALTER TABLE drops ADD COLUMN holdBirth INTEGER;
    ALTER TABLE drops ADD COLUMN originalSize INTEGER;
    ALTER TABLE drops ADD COLUMN originalSHA256 TEXT;
    ALTER TABLE attempts ADD COLUMN ordinal INTEGER;
    ALTER TABLE taken RENAME TO originals;
    """

  /// A stop during the first start of the first release left some of these tables and no version.
  private static let version1 = """
    CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    -- The payloads in hand, from the claim to the receipt.
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
    -- Rows are only ever added; the last one with an id is that drop's outcome.
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
    -- The id and the attempts that a file in a zone keeps after it was put back, or found again after a stop.
    CREATE TABLE IF NOT EXISTS attempts(
      zone TEXT NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL, location BLOB NOT NULL, id TEXT NOT NULL,
      attempts INTEGER NOT NULL, starts INTEGER NOT NULL, noted INTEGER NOT NULL,
      PRIMARY KEY(zone, inode, birth)) WITHOUT ROWID;
    -- Files in a zone that are not taken again until they change: originals of copies, and what undo put back.
    CREATE TABLE IF NOT EXISTS taken(
      zone TEXT NOT NULL, location BLOB NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, sha256 TEXT, id TEXT NOT NULL,
      PRIMARY KEY(zone, location)) WITHOUT ROWID;
    -- Roots of places that were mount points when they were opened.
    CREATE TABLE IF NOT EXISTS mounts(path TEXT PRIMARY KEY) WITHOUT ROWID;
    """
}
