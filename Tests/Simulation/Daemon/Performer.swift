import DropEngine

/// Performs the steps of deliveries on the simulated machine, as the stages of `Sources/DropFlow` do on a real one.
enum Performer {
  /// Performs one step whole, and returns what came of it; nil while a handler works.
  static func perform(_ step: Delivery.Step, of payload: inout Payload, on machine: inout Machine) -> Delivery.Event? {
    let error = machine.faults.next(for: StepKind(step))
    switch step {
    case .sync(let name): return sync(name, &payload, &machine, error)
    case .syncDirectory(let name): return syncDirectory(name, payload, &machine, error)
    case .commit(let changes): return commit(changes, &machine, error)
    case .rename(let name, let newName, let replacing):
      return NameSteps.rename(name, to: newName, replacing: replacing, &payload, &machine, error)
    case .copy(let name, let newName): return CopySteps.copy(name, to: newName, &payload, &machine, error)
    case .remove(let name): return NameSteps.remove(name, payload, &machine, error)
    case .writeReason: return NameSteps.writeReason(payload, &machine, error)
    case .check: return HeldSteps.check(&payload, &machine, error)
    case .configure: return .configured(.take(directory: nil))
    case .awaitWorker: return .workerFree
    case .ask: return ask(&payload, &machine)
    case .inspect: return HeldSteps.inspect(payload, wantsReturn: true, machine, error)
    case .choose(let first): return ChoiceSteps.choose(from: first, &payload, &machine, error)
    case .chooseForCopy(let first): return ChoiceSteps.chooseForCopy(from: first, &payload, &machine, error)
    case .compare(let first): return ChoiceSteps.compare(from: first, &payload, &machine, error)
    case .chooseReturnName(let first): return HeldSteps.chooseReturnName(from: first, payload, &machine, error)
    case .findNames: return FindSteps.find(payload, machine, error)
    case .wait: return .resumed
    case .stay, .leftInZone, .refused, .finished, .parked: return .stopped
    }
  }

  private static func sync(
    _ name: Delivery.Name, _ payload: inout Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    if let error, error.leavesUnwritten { return .failed(.init(error)) }
    if name == .temporary || name == .halfCopy, let copy = payload.copy {
      machine.sync(copy)
      return .done
    }
    do throws(CallError) {
      if name == .origin, payload.drop.delivered != nil {
        let place = try PayloadNames.place(of: name, payload.delivery, machine)
        guard let original = machine.find(place.name, in: place.folder) else { throw .noEntry }
        machine.sync(original)
        return .done
      }
      let file: FileReference
      if let open = payload.file { file = open } else { file = try PayloadNames.openHeld(payload.drop, machine) }
      payload.file = file
      machine.sync(file)
      return .done
    } catch {
      return .failed(PayloadNames.failure(held: payload.drop, error, machine))
    }
  }

  private static func syncDirectory(
    _ name: Delivery.Name, _ payload: Payload, _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    do throws(CallError) {
      let folder = try PayloadNames.folder(of: name, payload.delivery, machine)
      if let error, error.leavesUnwritten, error != .noEntry { throw error }
      machine.sync(folder)
      return .done
    } catch {
      var failure = Delivery.Failure(error)
      if failure.kind == .otherFileSystem { failure.kind = .missing }
      // What is gone with its directory needs no sync; the names of a payload in its place do.
      if failure.kind == .missing, payload.delivery.toleratesMissing(name) { return .done }
      return .failed(failure)
    }
  }

  private static func commit(
    _ changes: [LedgerChange], _ machine: inout Machine, _ error: CallError?
  ) -> Delivery.Event {
    if let error { return .failed(.init(error == .noSpace ? .ledgerNoRoom : .other)) }
    machine.ledger.commit(changes)
    let isDurable = machine.setup.isDurable
    for change in changes {
      switch change {
      case .put(let drop):
        let held = (try? PayloadNames.openHeld(drop, machine)).map { machine[$0].content }
        machine.witness.committed(drop, held: held, isDurable: isDurable)
      case .addReceipt(let record): machine.witness.committed(record)
      default: break
      }
    }
    return .done
  }

  /// The handler first works, and answers with the next step.
  private static func ask(_ payload: inout Payload, _ machine: inout Machine) -> Delivery.Event? {
    if let answer = payload.answer {
      payload.answer = nil
      return .answered(answer, report: nil, retryAfter: nil)
    }
    guard machine.isThere(payload.drop.holdPath) else {
      payload.answer = .wait("its hold is not there")
      return nil
    }
    if machine.ledger.row(of: payload.drop.id)?.attempts != payload.drop.attempts {
      machine.witness.report(
        .receipts, "\(payload.drop.id): its handler is called, and its attempt is not in the ledger")
    }
    let behaviour = machine.answers.isEmpty ? .accept : machine.answers.removeFirst()
    let answer = behaviour.act(on: payload, &machine)
    payload.answer = answer
    if case .accepted = answer, let file = try? PayloadNames.openHeld(payload.drop, machine) {
      machine.witness.accepted(machine[file].content)
    }
    return nil
  }
}

extension CallError {
  /// Whether a sync that failed so has to be tried again; the others say that the file or directory knows no sync.
  var leavesUnwritten: Bool { self != .invalid && self != CallError(95) && self != CallError(38) }
}
