import DropEngine
import Support
import Testing

/// Builds and runs the inbox from the README, with other directories.
@Suite(.timeLimit(.minutes(3))) struct InboxTests {
  @Test func `the inbox in the README takes invoices and refuses other files`() async throws {
    let readme = try MarkdownFile(Compiler.repository.appending("README.md"))
    let block = try #require(readme.blocks("swift", below: "## In Swift").first)
    try await Scratch.with { scratch in
      let (source, built) = (scratch.path.appending("Inbox.swift"), scratch.path.appending("Inbox"))
      try source.write(block.text.replacing("/srv", with: scratch.string))
      try await Compiler.build(source, as: built)
      for name in ["drop", "drop/invoices", "box"] { try scratch.path.appending(RawPath(name)).makeDirectory() }
      let socket = scratch.path.appending("socket")
      let words = [built.description, "--state", scratch.string + "/state", "--socket", socket.description]
      try await ZoneProgram(words, socket: socket, in: scratch).whileServing { inbox in
        try await inbox.shell(
          """
          echo '{"number": "7", "cents": 1900}' > drop/invoices/lamps.json
          echo '{"number": "8", "cents": 0}' > drop/invoices/nothing.json
          echo hello > drop/invoices/hello.txt
          """)
        #expect(try await inbox.control.wait())
        #expect(scratch.path.appending("box/invoices/lamps.json").exists)
        #expect(
          try await inbox.outcomes() == [
            "lamps.json": "delivered", "nothing.json": "rejected: there is nothing to pay",
            "hello.txt": "rejected: its content is text/plain; this zone takes application/json",
          ])
      }
    }
  }
}
