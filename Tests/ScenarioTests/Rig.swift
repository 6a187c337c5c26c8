import DropEngine
import Support
import Testing

/// Runs recipes against the built daemon and reads what they leave.
enum Rig {
  /// The directory of the recipes, beside this file.
  static let recipes = String(#filePath.dropLast("Rig.swift".count)) + "Recipes"

  /// A user without rights of its own: "nobody" by number.
  static let nobody: UInt32 = 65534

  /// Runs a recipe and hands its outcome to `check`; cancels the test where the recipe says it cannot be.
  ///
  /// - Parameters:
  ///   - label: what failures call it, where that is not its name.
  ///   - variant: what the recipe is to differ in, in the words of `dz_conf`.
  ///   - environment: variables that the recipe reads.
  ///   - user: who runs senders and daemon, where that is not the user of the tests.
  ///   - mounts: whether the recipe mounts; it then sees mounts of its own, which end with it.
  static func run(
    _ scenario: String, label: String? = nil, variant: String = "", environment: [String: String] = [:],
    as user: UInt32? = nil,
    mounts: Bool = false, limit: Duration = .seconds(300), _ check: @Sendable (Outcome) async throws -> Void
  ) async throws {
    try await Slots.shared.run {
      try await Scratch.with { scratch in
        var arguments: [String] = []
        if mounts { arguments += ["/usr/bin/unshare", "-m", "--propagation", "private"] }
        if let user {
          arguments += ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
          // Daemons of another user that were killed leave locks; an inode's number comes again, and then one of them
          // would keep this user's daemon out.
          let sweep = """
            chown \(user):\(user) "$1"
            for lock in /run/lock/dropzone/zone-*; do kill -0 "$(cat "$lock")" 2>/dev/null || rm -f "$lock"; done
            """
          _ = try await Command.run(["/bin/bash", "-c", sweep, "sweep", scratch.string], in: scratch)
        }
        arguments += ["/bin/bash", "\(recipes)/\(scenario).sh"]
        var variables = Command.plainEnvironment
        variables["DZ_BIN"] = Executables.directory
        variables["DZ_WORK"] = scratch.string
        variables["DZ_VARIANT"] = variant
        variables.merge(environment) { $1 }

        let recipeLog = scratch.path.appending("recipe.log")
        let command = try Command(
          arguments, environment: variables, output: recipeLog, errors: recipeLog)
        let exit = await command.exit(within: limit)
        defer { command.sendToGroup(.kill) }

        let skipped = scratch.path.appending("skipped").lines().joined(separator: " ")
        let outcome = try Outcome(scenario: label ?? scenario, work: scratch.path)
        if skipped.isEmpty {
          // A recipe ends with the status of its last word, which says nothing; that it got there does.
          let broken = recipeLog.lines().filter { line in
            ["unbound variable", "command not found", "syntax error"].contains { line.contains($0) }
          }
          #expect(broken.isEmpty && exit != .signal(15) && exit != .signal(9), "the recipe breaks\n\(outcome.story)")
          try await check(outcome)
        }
        for elsewhere in scratch.path.appending("elsewhere").lines() where elsewhere.contains("/dz.") {
          _ = try await Command.run(["/bin/rm", "-rf", "--", elsewhere], in: scratch)
        }
        if !skipped.isEmpty { try Test.cancel("\(scenario): \(skipped)") }
      }
    }
  }
}
