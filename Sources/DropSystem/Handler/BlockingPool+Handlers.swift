extension BlockingPool {
  /// For calls that last as long as a handler's process. The zones' numbers of workers keep them well below the limit.
  package static let handlers = BlockingPool(name: "handlers", limit: 4096)
}
