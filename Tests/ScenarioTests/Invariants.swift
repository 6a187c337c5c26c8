import DropEngine
import Support
import Testing

/// What must hold however a scenario goes: the promises, as far as they show at the end.
struct Invariants: Sendable {
  /// How many drops there were; each has one outcome.
  var payloads: Int
  /// Exit codes of the daemons; all clean unless said.
  var exits: [Int32]?
  /// Whether something still waits for a place at the end.
  var parked = false
  /// Whether the last status still shows the zone targeted.
  var targeted = false
  /// Where the deliveries lie.
  var box = "B"
  var rejects = "R"
  /// Files in the box that were nobody's delivery.
  var foreign = 0
  /// Whether the places were gone before they could be listed.
  var placesKnown = true
  /// Whether withdrawn drops count too.
  var withdrawn = 0

  func check(_ outcome: Outcome, at location: SourceLocation) {
    func hold(_ condition: Bool, _ sentence: String) {
      #expect(condition, "\(sentence)\n\(outcome.story)", sourceLocation: location)
    }
    let receipts = outcome.receipts

    hold(outcome.notes.isEmpty, "the rig has nothing to complain about")
    let wantedExits = exits ?? outcome.exits.map { _ in 0 }
    hold(outcome.exits == wantedExits, "the daemons end with \(wantedExits), not \(outcome.exits)")

    // 8: every outcome has one receipt, and they add up.
    hold(
      receipts.count { $0.outcome != .withdrawn } == payloads,
      "\(payloads) payloads have an outcome each")
    hold(receipts.count { $0.outcome == .withdrawn } <= withdrawn, "at most \(withdrawn) drops are withdrawn")
    for receipt in receipts {
      hold(
        Base64.decode(receipt.locationBytes).map { RawPath(bytes: $0).description } == receipt.location,
        "the receipt's location and its bytes agree")
      hold(DropID(receipt.id) != nil, "the receipt's id is one")
      hold(receipt.zone == "z", "the receipt names its zone")
      if receipt.outcome == .rejected || receipt.outcome == .failed {
        hold(receipt.reason != nil, "what was refused says why")
      }
      hold(receipt.outcome != .delivered || receipt.evidence != nil, "a delivery says how completeness is known")
    }

    // 5: the state goes back by itself, and what has a receipt was seen targeted.
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
      // 150 ms: what is promised, and what the client takes to pass it on.
      hold(
        log.periods.contains { $0.begin <= max(released, seen) + 150 && ($0.end ?? .max) >= seen },
        "«\(receipt.location)» was seen targeted")
    }
  }

  private func checkPlaces(_ outcome: Outcome, _ receipts: [Receipt], _ hold: (Bool, String) -> Void) {
    let boxed = outcome.entries(box)
    let refused = outcome.entries(rejects)
    let reasons = refused.filter { $0.path.bytes.ends(with: ".reason.json") }

    // 4 and 7: nothing but files and their directories, none of them ours in the making.
    hold((boxed + refused).allSatisfy { $0.kind == "f" || $0.kind == "d" }, "only files and directories are placed")
    let unfinished = (boxed + refused + outcome.entries("Z")).filter {
      $0.kind == "f" && $0.path.lastComponent.bytes.starts(with: ".dropzone-".utf8)
    }
    hold(unfinished.isEmpty, "no temporaries are left: \(unfinished.map(\.path))")
    if !parked {
      let held = (try? outcome.work.appending("held").contents()) ?? []
      hold(held.isEmpty, "the hold is empty: \(RawPath(bytes: held))")
    }

    // 2 and 3: each in exactly one place, as often as there are receipts.
    let delivered = receipts.filter { $0.outcome == .delivered }
    hold(
      boxed.count { $0.kind == "f" } == delivered.count + foreign,
      "the box holds the \(delivered.count) deliveries and \(foreign) files of others")
    hold(Set(delivered.compactMap(\.placeBytes)).count == delivered.count, "each delivery has a place of its own")
    let digests = Set(boxed.compactMap(\.sha256))
    for receipt in delivered {
      guard let sha256 = receipt.sha256 else { continue }
      hold(digests.contains(sha256), "«\(receipt.location)» lies in the box with the digest of its receipt")
    }
    let turnedDown = receipts.count { $0.outcome == .rejected || $0.outcome == .failed }
    hold(reasons.count >= turnedDown, "each of the \(turnedDown) refused has a reason beside it")
    for reason in reasons {
      let payload = RawPath(bytes: Array(reason.path.bytes.dropLast(".reason.json".utf8.count)))
      hold(
        refused.contains { $0.path == payload } || payload.bytes.isEmpty
          || outcome.receipts.contains { $0.location == reason.path.description },
        "the reason \(reason.path) belongs to a file")
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
