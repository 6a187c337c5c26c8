import DropEngine
import Support

/// Compares the daemon with the limit and with its peers, and prints one table.
@main enum Benchmarks {
  static func main() async {
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Output.complain("\(error)")
      Output.exit(64)
    }
    do {
      let scratch = try Scratch(in: RawPath(arguments.directory))
      let isComplete = await run(arguments, in: scratch)
      await scratch.remove()
      Output.exit(isComplete ? 0 : 1)
    } catch {
      Output.complain("\(error)")
      Output.exit(1)
    }
  }

  /// Measures each group of rows and prints it at once; false if one could not be measured.
  private static func run(_ arguments: Arguments, in scratch: Scratch) async -> Bool {
    var table = Table(machine: await MachineFacts.here(scratch))
    var isComplete = true
    Output.say(table.heading)
    do {
      let workplace = try await Workplace(scratch: scratch, arguments: arguments)
      for group in RowGroup.all where arguments.wants(group) {
        do {
          for row in try await group.measure(workplace) {
            table.rows.append(row)
            Output.say(table.line(of: row))
          }
        } catch let skipped as Skipped {
          workplace.leaveOut("\(group.name): \(skipped.reason)")
        }
        for reason in workplace.takeLeftOut() {
          table.skipped.append(reason)
          Output.say("  left out: \(reason)")
        }
      }
    } catch {
      Output.complain("\(error)")
      isComplete = false
    }
    if let file = arguments.json {
      do {
        try RawPath(file).write(try table.json())
      } catch {
        Output.complain("\(error)")
        isComplete = false
      }
    }
    return isComplete
  }
}
