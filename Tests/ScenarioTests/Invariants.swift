import DropEngine
import Support
import Testing

/// What must be true in every scenario: the promises, as far as they can be checked at the end.
struct Invariants: Sendable {
  /// The number of drops, each of which has one outcome.
  var payloads: Int
  /// The exit codes of the daemons; by default, all must be 0.
  var exits: [Int32]?
  /// Whether a payload is still waiting at the end.
  var parked = false
  /// Whether the last status still shows the zone targeted.
  var targeted = false
  /// The directory of the deliveries.
  var box = "B"
  var rejects = "R"
  /// The number of files in the box that are not deliveries.
  var foreign = 0
  /// Whether the directories could be listed at the end.
  var placesKnown = true
  /// The number of withdrawn drops that are allowed.
  var withdrawn = 0

  func check(_ outcome: Outcome, at location: SourceLocation) {
    func hold(_ condition: Bool, _ sentence: String) {
      #expect(condition, "\(sentence)\n\(outcome.story)", sourceLocation: location)
    }
    let receipts = outcome.receipts

    hold(outcome.notes.isEmpty, "the rig has no complaints")
    let wantedExits = exits ?? outcome.exits.map { _ in 0 }
    hold(outcome.exits == wantedExits, "the daemons exit with \(wantedExits), not \(outcome.exits)")

    // Promise 8: every outcome has one receipt, and they account for every payload.
    hold(
      receipts.count { $0.outcome != .withdrawn } == payloads,
      "each of the \(payloads) payloads has an outcome")
    hold(receipts.count { $0.outcome == .withdrawn } <= withdrawn, "at most \(withdrawn) drops are withdrawn")
    for receipt in receipts {
      hold(
        Base64.decode(receipt.locationBytes).map { RawPath(bytes: $0).description } == receipt.location,
        "the receipt's location and its bytes agree")
      hold(DropID(receipt.id) != nil, "the receipt's id is valid")
      hold(receipt.zone == "z", "the receipt names its zone")
      if receipt.outcome == .rejected || receipt.outcome == .failed {
        hold(receipt.reason != nil, "a refusal has a reason")
      }
      hold(receipt.outcome != .delivered || receipt.evidence != nil, "a delivery has evidence that it was complete")
    }

    // Promise 5: the targeted state ends, and every payload with a receipt was part of a targeted period.
    hold(outcome.zone?.isTargeted == targeted, "the zone ends \(targeted ? "" : "not ")targeted")
    if !parked { hold(outcome.zone?.inHand == 0, "nothing is in hand at the end") }
    checkTargeted(outcome, receipts, hold)

    if placesKnown { checkPlaces(outcome, receipts, hold) }
  }

  private func checkTargeted(_ outcome: Outcome, _ receipts: [Receipt], _ hold: (Bool, String) -> Void) {
    let logs = outcome.logs.compactMap { log -> (from: Int64, to: Int64, periods: [TargetedLog.Period])? in
      guard let first = log.changes.first, let last = log.changes.last, let from = Timestamp.milliseconds(first.at),
        let to = Timestamp.milliseconds(last.at)
      else { return nil }
      return (from, to, log.periods)
    }
    for receipt in receipts where receipt.outcome != .withdrawn {
      guard let seen = Timestamp.milliseconds(receipt.firstSeen),
        let log = logs.first(where: { $0.from <= seen && seen <= $0.to })
      else { continue }
      let released = receipt.released.flatMap(Timestamp.milliseconds) ?? seen
      // 150 ms: the promised time, plus the time that the client needs to pass it on.
      hold(
        log.periods.contains { $0.begin <= max(released, seen) + 150 && ($0.end ?? .max) >= seen },
        "'\(receipt.location)' was part of a targeted period")
    }
  }

  private func checkPlaces(_ outcome: Outcome, _ receipts: [Receipt], _ hold: (Bool, String) -> Void) {
    let boxed = outcome.entries(box)
    let refused = outcome.entries(rejects)
    let reasons = refused.filter { $0.path.bytes.ends(with: ".reason.json") }

    // Promises 4 and 7: there are only files and directories, and no temporary files.
    hold((boxed + refused).allSatisfy { $0.kind == "f" || $0.kind == "d" }, "only files and directories are placed")
    let unfinished = (boxed + refused + outcome.entries("Z")).filter {
      $0.kind == "f" && $0.path.lastComponent.bytes.starts(with: ".dropzone-".utf8)
    }
    hold(unfinished.isEmpty, "no temporaries are left: \(unfinished.map(\.path))")
    if !parked {
      let held = (try? outcome.work.appending("held").contents()) ?? []
      hold(held.isEmpty, "the hold is empty: \(RawPath(bytes: held))")
    }

    // Promises 2 and 3: each payload is in exactly one place, as often as there are receipts.
    let delivered = receipts.filter { $0.outcome == .delivered }
    hold(
      boxed.count { $0.kind == "f" } == delivered.count + foreign,
      "the box holds the \(delivered.count) deliveries and \(foreign) files of others")
    hold(Set(delivered.compactMap(\.placeBytes)).count == delivered.count, "each delivery has a separate place")
    let digests = Set(boxed.compactMap(\.sha256))
    for receipt in delivered {
      guard let sha256 = receipt.sha256 else { continue }
      hold(digests.contains(sha256), "'\(receipt.location)' is in the box with the digest of its receipt")
    }
    let turnedDown = receipts.count { $0.outcome == .rejected || $0.outcome == .failed }
    hold(reasons.count >= turnedDown, "each of the \(turnedDown) refused payloads has a reason file beside it")
    for reason in reasons {
      let payload = RawPath(bytes: Array(reason.path.bytes.dropLast(".reason.json".utf8.count)))
      hold(
        refused.contains { $0.path == payload } || payload.bytes.isEmpty
          || outcome.receipts.contains { $0.location == reason.path.description },
        "the reason file \(reason.path) belongs to a file")
    }
  }
}

extension Outcome {
  /// Checks what must hold in every scenario.
  func expectInvariants(
    payloads: Int, exits: [Int32]? = nil, parked: Bool = false, targeted: Bool = false, box: String = "B",
    foreign: Int = 0, placesKnown: Bool = true, withdrawn: Int = 0, at location: SourceLocation = #_sourceLocation
  ) {
    Invariants(
      payloads: payloads, exits: exits, parked: parked, targeted: targeted, box: box,
      rejects: box == "B" ? "R" : "R" + box, foreign: foreign, placesKnown: placesKnown, withdrawn: withdrawn
    ).check(self, at: location)
  }
}
