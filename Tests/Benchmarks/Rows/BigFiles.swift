import DropEngine
import Support

/// One big file into a box on another file system, and by reflink on the same one.
enum BigFiles {
  static func measure(_ workplace: Workplace) async throws -> [Row] {
    guard Machine.canMount else { throw Skipped(reason: "only root can mount other file systems") }
    var rows = try await copies(workplace)
    if Machine.canMake("xfs") { rows.append(try await reflink(workplace)) }
    return rows
  }

  private static func copies(_ workplace: Workplace) async throws -> [Row] {
    let mebibytes = workplace.count(4_096, quick: 16)
    var rates: [String: [Double]] = [:]
    for round in 0..<min(3, workplace.arguments.rounds) {
      for name in round.isMultiple(of: 2) ? ["cp", "ours"] : ["ours", "cp"] {
        let seconds = try await workplace.with { places in
          try await places.onImage("ext4", mebibytes: mebibytes + mebibytes / 4 + 64) { image in
            let file = places.source.appending("big.bin")
            try await places.shell("head -c \(mebibytes)M /dev/urandom > \"$1\"; sync", file)
            if name == "cp" {
              return try await timed { try await places.shell("cp \"$1\" \"$2/\" && sync -f \"$2\"", file, image) }
            }
            let zone =
              "[Zone]\nPath=\(places.zone)\nBox=\(image)/box\nRejects=\(places.box)\n[Delivery]\nDigest=yes\n"
            let daemon = try DaemonProcess(zones: ["big": zone], in: places.scratch)
            try await daemon.start()
            let seconds = try await timed {
              try await places.shell("mv \"$1\" \"$2/\"", file, places.zone)
              _ = try await daemon.control.wait(600)
            }
            guard try await daemon.control.history().last?.sha256 != nil else {
              throw Failure("the receipt has no digest")
            }
            await daemon.stop()
            return seconds
          }
        }
        rates[name, default: []].append(Double(mebibytes) / seconds)
      }
    }
    return [
      Row(
        what: "\(mebibytes) MiB to a box on another file system, with digest, vs cp and sync",
        measured: "\(rates.median("ours").short) vs \(rates.median("cp").short) MiB/s",
        value: rates.ratio("ours", to: "cp"), goal: .atLeast(0.95))
    ]
  }

  /// Measures a copy on a file system that can share blocks.
  private static func reflink(_ workplace: Workplace) async throws -> Row {
    let mebibytes = workplace.count(4_096, quick: 16)
    let seconds = try await workplace.with { places in
      try await places.onImage("xfs", mebibytes: mebibytes + mebibytes / 4 + 400) { image in
        let script = "mkdir \"$1/zone\" \"$1/from\"; head -c \(mebibytes)M /dev/urandom > \"$1/from/big.bin\"; sync"
        try await places.shell(script, image)
        let zone = "[Zone]\nPath=\(image)/zone\nBox=\(image)/box\n[Delivery]\nOperation=copy\n"
        let daemon = try DaemonProcess(zones: ["big": zone], in: places.scratch)
        try await daemon.start()
        let seconds = try await timed {
          try await places.shell("mv \"$1/from/big.bin\" \"$1/zone/\"", image)
          _ = try await daemon.control.wait(600)
        }
        await daemon.stop()
        return seconds
      }
    }
    return Row(
      what: "\(mebibytes) MiB copied by reflink",
      measured: "from the rename into the zone to the receipt, with two clients",
      value: seconds * 1000, goal: .atMost(100, "ms"))
  }

  private static func timed(_ body: () async throws -> Void) async throws -> Double {
    try await ContinuousClock().measure { try await body() } / .seconds(1)
  }
}

extension Places {
  func shell(_ script: String, _ words: RawPath...) async throws {
    let answer = try await Command.run(
      ["/bin/bash", "-euc", script, "benchmark"] + words.map(\.description), in: scratch, limit: .seconds(900))
    guard answer.exit == .code(0) else { throw Failure("\(script): " + String(decoding: answer.errors, as: UTF8.self)) }
  }

  /// Calls `body` with a new file system, in an image file on the measured one.
  func onImage<Result>(
    _ kind: String, mebibytes: Int, _ body: (RawPath) async throws -> Result
  ) async throws -> Result {
    let (image, mount) = (scratch.freshPath("image"), scratch.freshPath("mount"))
    try mount.makeDirectory()
    try await shell(
      "truncate -s \(mebibytes)M \"$1\"; mkfs.\(kind) -q \"$1\"; mount -o loop \"$1\" \"$2\"", image, mount)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(mount)) } catch { result = .failure(error) }
    try await shell("umount \"$1\" || umount -l \"$1\"; rm \"$2\"", mount, image)
    return try result.get()
  }
}
