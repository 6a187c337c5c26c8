import DropEngine
import Simulation
import Support
import Testing

/// The model of the disk against the kernel: whatever a real power cut leaves, the model must allow.
///
/// `DROPZONE_KERNEL_SCRIPTS` sets how many scripts are played on each file system, `DROPZONE_KERNEL_SEED` the first seed.
@Suite(.serialized) struct KernelComparisonTests {
  private static let count = UInt64(Environment["DROPZONE_KERNEL_SCRIPTS"] ?? "") ?? 12
  private static let firstSeed = UInt64(Environment["DROPZONE_KERNEL_SEED"] ?? "") ?? 1

  private static let program = String(#filePath.dropLast("KernelComparisonTests.swift".count)) + "play.py"

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"))
  func `a power cut of ext4 leaves only what the model allows`() async throws { try await compare(.ext4) }

  @Test(.enabled(if: Machine.canMake("xfs"), "needs root and xfs"))
  func `a power cut of xfs leaves only what the model allows`() async throws { try await compare(.xfs) }

  @Test(.enabled(if: Machine.canMake("btrfs"), "needs root and btrfs"))
  func `a power cut of btrfs leaves only what the model allows`() async throws { try await compare(.btrfs) }

  private func compare(_ kind: FileSystemKind) async throws {
    let scripts = try (Self.firstSeed..<Self.firstSeed + Self.count).map { try DiskScript(kind, seed: $0) }
    let states = try await Scratch.with { try await play(scripts, on: kind, in: $0) }
    #expect(states.count == scripts.count)
    for (script, state) in zip(scripts, states) where !state.isAllowed(by: script) {
      Issue.record("\(kind) left '\(state)' of '\(script.text.joined(separator: ";"))'")
    }
  }

  private func play(
    _ scripts: [DiskScript], on kind: FileSystemKind, in scratch: Scratch
  ) async throws -> [DiskState] {
    let text = scripts.map { $0.text.joined(separator: ";") + "\n" }.joined()
    try scratch.path.appending("scripts").write(text)
    let (exit, output, errors) = try await Command.run(
      ["/usr/bin/unshare", "--mount", "/usr/bin/python3", Self.program, kind.rawValue, scratch.string], in: scratch,
      limit: .seconds(60 + 5 * Int(Self.count)))
    #expect(exit == .code(0), "\(String(decoding: errors, as: UTF8.self))")
    // A line is empty when nothing is left.
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().map { DiskState($0) }
  }
}
