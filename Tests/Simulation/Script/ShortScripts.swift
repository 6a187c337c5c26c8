import DropEngine

/// Short scripts, one for each way of a payload, that are run exhaustively.
package enum ShortScripts {
  /// Configurations that differ in what recovery has to know.
  package static let setups: [Setup] = {
    var setups: [Setup] = []
    for kind in FileSystemKind.allCases where kind != .xfs {
      for isNear in [true, false] {
        for operation in DeliveryRules.Operation.allCases {
          var setup = Setup()
          setup.zoneDisk = kind
          setup.boxDisk = isNear ? nil : kind == .ext4 ? .btrfs : .ext4
          setup.operation = operation
          setups.append(setup)
        }
      }
    }
    return setups
  }()

  /// What happens, apart from the configuration.
  package static let courses: [(name: String, handler: Bool, text: String)] = [
    ("accepted", false, "put a.txt 6; advance; run"),
    ("refused", false, "put a.exe 6; advance; run"),
    ("taken at once", false, "readerTakesAll; put a.txt 6; advance; run"),
    ("name taken", false, "foreign a.txt; put a.txt 6; advance; run"),
    ("in a directory", false, "put sub/a.txt 6; advance; run"),
    ("handler accepts", true, "put a.txt 6; advance; run"),
    ("handler rejects", true, "answer reject; put a.txt 6; advance; run"),
    ("not yet", true, "answer notYet; put a.txt 6; advance; run; advance; run"),
    ("undone", false, "put a.txt 6; advance; run; undo; run"),
    ("retried", true, "answer reject; put a.txt 6; advance; run; retry; run"),
    ("retried in vain", true, "answer reject; answer reject; put a.txt 6; advance; run; retry; run"),
    ("released", false, "put a.exe 6; advance; run; release; run"),
    ("accepted as a copy", true, "answer acceptCopy; put a.txt 6; advance; run; advance; run"),
    ("changed and accepted", true, "answer changeAndAccept; put a.txt 6; advance; run; advance; run"),
    ("taken by its handler", true, "answer takeAndAccept; put a.txt 6; advance; run"),
    ("renamed by its handler", true, "answer renameAndAccept; put a.txt 6; advance; run"),
    ("replaced at the claim", false, "put a.txt 6; advance; step 0; replace a.txt 4; run; advance; run"),
    ("opened at the claim", false, "put a.txt 6; openLate a.txt; advance; run"),
    ("written to before it is placed", false, "put a.txt 6; advance; step 0; step 0; step 0; step 0; writeHeld; run"),
    ("two payloads", false, "put a.txt 6; put b.txt 4; advance; step 0; step 1; step 0; step 1; run"),
  ]

  package static func all(changes: Bool = true) -> [Script] {
    setups.flatMap { base in
      courses.map { course in
        var setup = base
        setup.hasHandler = course.handler
        setup.changes = course.name == "changed and accepted"
        return Script("\(setup); \(course.text)") ?? Script(setup, [])
      }
    }
  }
}
