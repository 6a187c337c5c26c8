/// The interface that the daemon offers on its control socket.
package enum ZonesInterface {
  package static let name = "io.dropzone.Zones"

  /// The definition in Varlink's language; see "Interface Definition" on varlink.org.
  package static let description = """
    # Shows and controls the zones of a drop-zone daemon.
    #
    # File names are bytes. They are escaped in ordinary fields. Fields whose names end in Bytes have the exact bytes,
    # in base64. Times are RFC 3339, in UTC, with milliseconds.
    interface io.dropzone.Zones

    type Daemon (
      version: string,
      pid: int,
      # The number of watched directories in zones, and the largest number that is allowed.
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
      # The first of unavailable, paused, blocked, targeted and idle that applies.
      state: State,
      # Whether a payload is arriving.
      isTargeted: bool,
      # move, copy or forbidden; reason says why it is forbidden or why the zone does not work.
      operation: string,
      reason: ?string,
      title: string,
      hint: string,
      symbol: string,
      tint: string,
      # The whole state in one sentence.
      label: string,
      # The number and size of all staged payloads, even if the list below is truncated.
      itemsCount: int,
      payloadBytes: int,
      # The number of payloads that are claimed or waiting for a worker, and not yet placed.
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
      # With temporary-name, empty, quiet, writer and not-yet, the payload is arriving.
      # With paused, blocked, retry, stalled, unreadable, cannot-take and special, it is not.
      waiting: string,
      detail: string
    )

    type Reason (code: string, message: string)

    type Handler (exit: ?int, signal: ?int, output: string)

    # The record of one drop. The last receipt of an id is its outcome.
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

    # A receipt and its sequence number in the ledger.
    type Entry (sequence: int, receipt: Receipt)

    # The result of one rule. passes is true if the file passes, false if it is refused or left alone, and null if that
    # is not known before the content is read.
    type Rule (rule: string, passes: ?bool, detail: string)

    type Explanation (
      zone: string,
      location: string,
      locationBytes: string,
      # One of: staged, in hand, left alone, taken, not there.
      state: string,
      waiting: ?string,
      detail: ?string,
      evidence: ?string,
      claimedType: ?string,
      rules: []Rule
    )

    # Returns the named zones, or all zones if none is named.
    method List(zones: ?[]string) -> (daemon: Daemon, zones: []Zone)

    # Replies with each zone once, and then with each change. n counts up from 1.
    #
    # Requires more. Each change of isTargeted is a separate reply; other changes are sent at most ten times per second
    # and zone. A client that reads too slowly gets a reply without a zone, in which n has skipped the changes that were
    # lost, and then each zone once again.
    method Monitor(zones: ?[]string) -> (n: int, at: string, zone: ?Zone, overrun: bool)

    # Says why a file is waiting, or what would happen to it. Changes nothing. The path is absolute, as text or as bytes.
    method Explain(path: ?string, pathBytes: ?string) -> (explanation: Explanation)

    # Returns receipts, oldest first. zone selects those of one zone, since those that finished at or after a time, and
    # after those with higher sequence numbers. Without more, there is one reply; if complete is false, call again with
    # the last sequence number. With more, the replies continue, and include new receipts as they are added.
    method History(zone: ?string, since: ?string, after: ?int, limit: ?int) -> (entries: []Entry, complete: bool)

    # Returns true once no zone is targeted and no payload is in hand, blocked or waiting to be retried; false at the
    # timeout.
    method Wait(zones: ?[]string, milliseconds: ?int) -> (settled: bool)

    # The following methods make changes. Only root, the daemon's user and members of dropzone-admin may call them.

    # Stops taking files from these zones until they are resumed.
    method Pause(zones: []string) -> ()

    method Resume(zones: []string) -> ()

    # Reads the configuration again. If there is an error, the old configuration stays in force.
    method Reload() -> ()

    # Judges refused payloads again.
    method Retry(ids: []string) -> ()

    # Accepts payloads as they are that are waiting, were refused or were put back.
    method Release(ids: []string) -> ()

    # Puts delivered payloads back into their zones.
    method Undo(ids: []string) -> ()

    error NoSuchZone (zone: string)

    # The path is not in any zone.
    error NotInAnyZone (path: string)

    # The request is not possible for the drop with this id; message says why.
    error NotPossible (id: string, message: string)

    error ConfigurationError (message: string)

    # The daemon is stopping.
    error Stopping ()

    # All available connections are in use.
    error TooManyConnections ()

    # A message is longer than a mebibyte.
    error MessageTooLong ()

    """
}
