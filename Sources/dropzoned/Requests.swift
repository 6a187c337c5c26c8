internal import DropSystem
internal import DropZones

/// What signals ask of the daemon: HUP to read the configuration again, TERM and INT to stop.
enum Requests {
  /// Made before any other thread starts, which take over the mask.
  static func stream() -> AsyncStream<ZoneServer.Request> {
    DaemonSignals.block()
    let (stream, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    Thread {
      while true { continuation.yield(DaemonSignals.next() == .hangUp ? .reload : .stop) }
    }.start(name: "signals")
    return stream
  }
}
