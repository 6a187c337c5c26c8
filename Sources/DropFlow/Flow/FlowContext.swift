import DropEngine
import DropSystem

/// What all stages of one zone work with; it never changes.
final class FlowContext: Sendable {
  let plan: ZonePlan
  let policy: DeliveryPolicy
  let ledger: Ledger
  let typer: ContentTyper
  let observer: any FlowObserver
  let log: any FlowLog
  let time: TimeSource
  let mountPoints: MountPoints
  let holds: HoldDirectories
  /// Shared by all zones: payloads that an earlier process may have died of are examined one at a time.
  let suspects: CrashSuspects
  let reservations = RoomReservations()
  /// Ends copies from the zone into the hold.
  let claims = Cancellation()
  /// Ends all other copies, and digests.
  let copies = Cancellation()

  init(
    plan: ZonePlan, ledger: Ledger, typer: ContentTyper, observer: any FlowObserver, log: any FlowLog,
    mountPoints: MountPoints, suspects: CrashSuspects, time: TimeSource
  ) {
    self.plan = plan
    self.ledger = ledger
    self.typer = typer
    self.observer = observer
    self.log = log
    self.time = time
    self.mountPoints = mountPoints
    self.suspects = suspects
    policy = DeliveryPolicy(
      settings: plan.settings, asksHandler: plan.handler != nil, asksConfiguration: plan.configuration != nil)
    holds = HoldDirectories(settings: plan.settings)
  }

  var settings: ZoneSettings { plan.settings }
  var name: String { plan.settings.name }
  var isDurable: Bool { plan.settings.delivery.durable }

  func notice(_ message: String, _ drop: Drop) {
    log.notice(message, zone: name, id: drop.id, location: drop.location)
  }

  func warning(_ message: String, _ drop: Drop? = nil) {
    log.warning(message, zone: name, id: drop?.id, location: drop?.location)
  }
}
