import DropEngine
import Support
import Testing

/// Runs recipes with the built daemon, and reads their results.
enum Rig {
  /// The directory of the recipes.
  static let recipes = String(#filePath.dropLast("Rig.swift".count)) + "Recipes"

  /// The id of a user without special rights, "nobody".
  static let nobody: UInt32 = 65534

  /// Runs a recipe, and passes its outcome to `check`. Cancels the test if the recipe says that it cannot run here.
  ///
  /// - Parameters:
  ///   - label: The name in failures, if it is not the recipe's name.
  ///   - variant: Settings that differ, as arguments of `dz_conf`.
  ///   - environment: Variables that the recipe reads.
  ///   - user: The user that runs the senders and the daemon, if it is not the user of the tests.
  ///   - mounts: Whether the recipe mounts file systems. It then has its own mount namespace, which ends with it.
  static func run(
    _ scenario: String, label: String? = nil, variant: String = "", environment: [String: String] = [:],
    as user: UInt32? = nil,
    mounts: Bool = false, limit: Duration = .seconds(300), _ check: @Sendable (Outcome) async throws -> Void
  ) async throws {
    try await Slots.shared.run {
      try await Scratch.with { scratch in
        if let user { try await prepare(scratch, for: user) }
        let command = prefix(user: user, mounts: mounts) + ["/bin/bash", "\(recipes)/\(scenario).sh"]
        var variables = Command.plainEnvironment
        variables["DZ_BIN"] = Executables.directory
        variables["DZ_WORK"] = scratch.string
        variables["DZ_VARIANT"] = variant
        variables.merge(environment) { $1 }

        let recipeLog = scratch.path.appending("recipe.log")
        let recipe = try Command(command, environment: variables, output: recipeLog, errors: recipeLog)
        let exit = await recipe.exit(within: limit)
        defer { recipe.sendToGroup(.kill) }

        let skipped = scratch.path.appending("skipped").lines().joined(separator: " ")
        let outcome = try Outcome(scenario: label ?? scenario, work: scratch.path)
        if skipped.isEmpty {
          // The exit status of a recipe is that of its last command, which means nothing. It must reach its end.
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

  /// The command that runs a recipe as another user, or with its own mounts.
  private static func prefix(user: UInt32?, mounts: Bool) -> [String] {
    let namespace = mounts ? ["/usr/bin/unshare", "-m", "--propagation", "private"] : []
    return namespace + (user.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? [])
  }

  /// Lets another user work in the directory.
  private static func prepare(_ scratch: Scratch, for user: UInt32) async throws {
    // Killed daemons of another user leave lock files behind. Inode numbers are reused, and such a file would then keep
    // this user's daemon out.
    let sweep = """
      chown \(user):\(user) "$1"
      for lock in /run/lock/dropzone/zone-*; do kill -0 "$(cat "$lock")" 2>/dev/null || rm -f "$lock"; done
      """
    _ = try await Command.run(["/bin/bash", "-c", sweep, "sweep", scratch.string], in: scratch)
  }
}
