extension BlockingPool {
  /// For calls that wait for file systems. Each zone and each file system may use only some of its threads, so that one
  /// that hangs leaves the others theirs: see ``init(limit:on:)``.
  package static let fileSystems = BlockingPool(name: "files", limit: 4096)
}
