import DropEngine

/// Which releases are claimed together, and when: no faster than what is in hand is placed.
extension ZoneFlow {
  /// Whether a batch may be claimed: a second one beside the first only when it is full.
  var mayClaim: Bool {
    claimsGoOn && !released.isEmpty
      && (claimers == 0 || claimers < batchesAtOnce && released.count >= Self.claimLimit)
  }

  var claimsGoOn: Bool { !isStopping && !isRetired }

  func startClaimers() {
    guard mayClaim else { return }
    claimers += 1
    start { await $0.claimNext() }
  }

  /// Claims a batch, no faster than batches are placed; it is judged while the next one is claimed.
  func claimNext() async {
    if claimsGoOn, !placingHasRoom { await withCheckedContinuation { placingWaiters.append($0) } }
    let batch =
      !claimsGoOn
      ? []
      : released.take(released.first?.operation == .copy ? Self.copyLimit : Self.claimLimit) { first, next in
        next.mountLocation == first.mountLocation && next.operation == first.operation
      }
    startClaimers()
    let big = batch.filter(isAside)
    for release in big { bigReleases.append(release) }
    startBigClaims()
    let taken = await claim(big.isEmpty ? batch : batch.filter { !isAside($0) })
    claimers -= 1
    startClaimers()
    await judgeInTurn(taken)
  }

  /// Its sync takes long: it is claimed by itself, where it need not keep its turn.
  private func isAside(_ release: Release) -> Bool {
    release.payload.status.size > Self.bigPayload && settings.delivery.collision != .replace
  }

  /// Each by itself, and few side by side.
  private func startBigClaims() {
    while bigClaims < Self.bigClaimsAtOnce, claimsGoOn, let release = bigReleases.popFirst() {
      bigClaims += 1
      start { flow in
        await flow.judge(await flow.claim([release]))
        flow.bigClaims -= 1
        flow.startBigClaims()
      }
    }
  }

  /// Where a later file replaces an earlier one, they must come in their order.
  var batchesAtOnce: Int { settings.delivery.collision == .replace ? 1 : Self.batchesAtOnce }

  /// Whether so little is under way that a step of it may wait for the disk on the flow's own thread.
  var hasFew: Bool { inHand < concurrencyThreshold }

  private var placingHasRoom: Bool {
    toJudge.count + toPlace.count + unfinished.count + toCopy.count + longToCopy.count <= Self.placingLimit
  }

  /// A stop makes room for everybody: who waits goes on and ends.
  func claimOnWhereThereIsRoom() {
    guard !claimsGoOn || placingHasRoom else { return }
    for waiter in placingWaiters { waiter.resume() }
    placingWaiters = []
  }
}
