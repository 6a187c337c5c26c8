import DropEngine
import DropSystem
import Support
import Testing

/// Tests of a process that gets its socket from a socket unit; see sd_listen_fds(3).
@Suite(.timeLimit(.minutes(1))) struct InheritedSocketTests {
  @Test func `the socket named control is served, whatever its position, but only if it is listening`() async throws {
    // A program that starts with no other open files gets descriptors 3 and 4.
    let hand = """
      import os, socket, sys
      other = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      other.bind("datagrams")
      control = socket.socket(socket.AF_UNIX)
      control.bind("inherited")
      control.listen()
      assert (other.fileno(), control.fileno()) == (3, 4)
      for inherited in 3, 4: os.set_inheritable(inherited, True)
      names = ":".join(sys.argv[1:3])
      os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2", LISTEN_FDNAMES=names)
      os.execv(sys.argv[3], sys.argv[3:])
      """
    try await Scratch.with { scratch in
      for name in ["drop", "other"] as [RawPath] { try scratch.path.appending(name).makeDirectory() }
      let root = scratch.string
      func daemon(_ names: [String], answersAt socket: RawPath) -> ZoneProgram {
        ZoneProgram(
          ["/usr/bin/env", "-C", root, "python3", "-c", hand] + names + [
            Executables.directory + "/TestDaemon", "--mode", "plain", "--root", root, "--state", root + "/state",
            "--socket", root + "/own",
          ], socket: scratch.path.appending(socket), in: scratch)
      }
      try await daemon(["datagrams", "control"], answersAt: "inherited").whileServing { _ in
        #expect(!scratch.path.appending("own").exists)
      }
      for name in ["inherited", "datagrams"] as [RawPath] {
        try Directory.working.unlink(scratch.path.appending(name))
      }
      // A datagram socket does not accept connections.
      try await daemon(["control", "stream"], answersAt: "own").whileServing { _ in }
    }
  }
}
