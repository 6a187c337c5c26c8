/// The interface a daemon answers on its control socket.
package enum ZonesInterface {
  package static let name = "io.dropzone.Zones"

  /// Varlink's own language: varlink.org, "Interface Definition".
  package static let description = """
    # The zones of a drop-zone daemon: what is in them, what became of it, and what can be done about it.
    #
    # Names of files are bytes. Where one is shown it is escaped; beside it, in a field that ends in Bytes, it
    # is exact, in base64. Times are RFC 3339, in UTC, with milliseconds.
    interface io.dropzone.Zones

    type Daemon (
      version: string,
      pid: int,
      # Directories of zones that are watched, and how many may be.
      watches: int,
      watchLimit: int,
      overflows: int,
      libmagic: string,
      mimeInfo: string
    )

    type State (idle, targeted, paused, blocked, unavailable)

    type Zone (
      name: string,
      path: string,
      box: string,
      rejects: string,
      # The first that holds of unavailable, paused, blocked, targeted, idle.
      state: State,
      # Whether a payload is arriving.
      isTargeted: bool,
      # move, copy or forbidden; the reason where it is forbidden, or the zone does not work.
      operation: string,
      reason: ?string,
      title: string,
      hint: string,
      symbol: string,
      tint: string,
      # All of it in one sentence.
      label: string,
      # What is staged, all of it, though the list below may be cut.
      itemsCount: int,
      payloadBytes: int,
      # Claimed, or waiting for a worker, and not yet placed.
      inHand: int,
      accepted: int,
      rejected: int,
      staged: []Staged,
      last: ?Receipt
    )

    type Staged (
      id: string,
      location: string,
      locationBytes: string,
      bytes: int,
      since: string,
      # temporary-name, empty, quiet, writer, not-yet: arriving.
      # paused, blocked, retry, stalled, unreadable, cannot-take, special: not.
      waiting: string,
      detail: string
    )

    type Reason (code: string, message: string)

    type Handler (exit: ?int, signal: ?int, output: string)

    # One drop. The last receipt of an id is its outcome.
    type Receipt (
      id: string,
      zone: string,
      name: string,
      location: string,
      locationBytes: string,
      bytes: int,
      sha256: ?string,
      type: ?string,
      claimedType: ?string,
      # proved, narrowed, contradicted or unproved.
      grade: ?string,
      operation: string,
      # delivered, rejected, withdrawn, failed, taken or undone.
      outcome: string,
      reason: ?Reason,
      place: ?string,
      placeBytes: ?string,
      # lease, lease-no-maps, scans or quiet-only.
      evidence: ?string,
      attempts: int,
      firstSeen: string,
      released: ?string,
      finished: string,
      afterCrash: ?bool,
      warnings: ?[]string,
      handler: ?Handler
    )

    # A receipt and its place in the ledger.
    type Entry (sequence: int, receipt: Receipt)

    # One rule's answer: true passes, false refuses or leaves alone, null is not known before the content is read.
    type Rule (rule: string, passes: ?bool, detail: string)

    type Explanation (
      zone: string,
      location: string,
      locationBytes: string,
      # staged, in hand, left alone, taken, not there.
      state: string,
      waiting: ?string,
      detail: ?string,
      evidence: ?string,
      claimedType: ?string,
      rules: []Rule
    )

    # Returns the named zones; all of them when none is named.
    method List(zones: ?[]string) -> (daemon: Daemon, zones: []Zone)

    # Replies with each zone once, then with each change, as n counts up from 1.
    #
    # Needs more. A change of isTargeted is always a reply of its own; others come ten times a second and zone at
    # most. Who reads too slowly gets a reply without a zone, where n has gone on by what was lost, and then each
    # zone once again.
    method Monitor(zones: ?[]string) -> (n: int, at: string, zone: ?Zone, overrun: bool)

    # Says why a file waits, or what would happen to it; changes nothing. The path is absolute, as text or as bytes.
    method Explain(path: ?string, pathBytes: ?string) -> (explanation: Explanation)

    # Returns receipts, oldest first: those of a zone if one is named, finished at or after since, placed after the
    # given number in the ledger. Without more there is one reply, and complete says whether nothing was left out; ask
    # again after the last number. With more the replies go on, and follow what is added.
    method History(zone: ?string, since: ?string, after: ?int, limit: ?int) -> (entries: []Entry, complete: bool)

    # Returns when no zone is targeted and nothing is in hand, blocked or to be retried: true; at the timeout: false.
    method Wait(zones: ?[]string, milliseconds: ?int) -> (settled: bool)

    # The rest changes something, which root, the daemon's user and members of dropzone-admin may.

    # Takes nothing from these zones until they are resumed.
    method Pause(zones: []string) -> ()

    method Resume(zones: []string) -> ()

    # Reads the configuration again; where it is wrong, the old one stays in force.
    method Reload() -> ()

    # Asks again about payloads that were refused.
    method Retry(ids: []string) -> ()

    # Takes payloads that wait, or were refused or put back, as they are.
    method Release(ids: []string) -> ()

    # Puts delivered payloads back into their zones.
    method Undo(ids: []string) -> ()

    error NoSuchZone (zone: string)

    # The path lies in none of the zones.
    error NotInAnyZone (path: string)

    # For the drop with this id, and why.
    error NotPossible (id: string, message: string)

    error ConfigurationError (message: string)

    # The daemon ends.
    error Stopping ()

    # Every connection there may be is taken.
    error TooManyConnections ()

    # A message is longer than a mebibyte.
    error MessageTooLong ()

    """
}
