import DropEngine

/// A fault that is put between the delivery machine and what performs its steps, to show that the checks find it.
package struct PlantedFault: Sendable {
  package let name: String
  /// Steps that are reported as done and not performed.
  var skips: @Sendable (Delivery.Step, Delivery) -> Bool = { _, _ in false }
  /// Steps that are reported as done, and performed only after the payload's next one.
  var delays: @Sendable (Delivery.Step, Delivery) -> Bool = { _, _ in false }
  /// What is written to the ledger instead.
  var rewrites: @Sendable ([LedgerChange], Delivery) -> [LedgerChange] = { changes, _ in changes }
  /// What a step does instead.
  var replaces: @Sendable (Delivery.Step, Delivery) -> Delivery.Step = { step, _ in step }
  /// What the delivery is told instead.
  var reports: @Sendable (Delivery.Event, Delivery) -> Delivery.Event = { event, _ in event }
  /// The row that recovery begins with instead.
  var recovers: @Sendable (Drop) -> Drop = { $0 }

  init(_ name: String) {
    self.name = name
  }
}

/// A planted fault at work in one world.
struct PlantedRun {
  let fault: PlantedFault
  private var delayed: [Delayed] = []

  /// A step that was reported as done, until the payload's next step is over.
  private struct Delayed {
    var id: DropID
    var step: Delivery.Step
    var isDue = false
  }

  init(_ fault: PlantedFault) {
    self.fault = fault
  }

  mutating func perform(
    _ step: Delivery.Step, of payload: inout Payload, on machine: inout Machine
  ) -> Delivery.Event? {
    let delivery = payload.delivery
    while let index = delayed.firstIndex(where: { $0.id == delivery.drop.id && $0.isDue }) {
      _ = Performer.perform(delayed.remove(at: index).step, of: &payload, on: &machine)
    }
    for index in delayed.indices where delayed[index].id == delivery.drop.id { delayed[index].isDue = true }
    if fault.skips(step, delivery) { return Self.success(of: step) }
    if fault.delays(step, delivery) {
      delayed.append(Delayed(id: delivery.drop.id, step: step))
      return Self.success(of: step)
    }
    var step = fault.replaces(step, delivery)
    if case .commit(let changes) = step { step = .commit(fault.rewrites(changes, delivery)) }
    let event = Performer.perform(step, of: &payload, on: &machine)
    return event.map { fault.reports($0, delivery) }
  }

  func recovered(_ row: Drop) -> Drop { fault.recovers(row) }

  mutating func forgetProcess() { delayed = [] }

  private static func success(of step: Delivery.Step) -> Delivery.Event {
    if case .rename = step { .renamed(nil) } else { .done }
  }
}
