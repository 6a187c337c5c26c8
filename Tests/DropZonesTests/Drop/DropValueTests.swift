import DropEngine
import DropZones
import Testing

/// Tests of the values that a zone's closures get and return.
@Suite struct DropValueTests {
  @Test func `a path keeps its bytes, and its description is escaped`() {
    let path = DropPath(bytes: Array("Doing/caf".utf8) + [0xE9] + Array(".card".utf8))
    #expect(path.string == nil && path.bytes.count == 15)
    #expect("\(path)" == "Doing/caf\\xE9.card")
    #expect(path.components.first == "Doing" && path.parent == "Doing")
    #expect(path.filenameExtension == "card" && path.stem == DropPath(bytes: Array("caf".utf8) + [0xE9]))
    #expect(DropPath("Doing").appending(path.lastComponent) == path)
    #expect(DropPath("a.d/b").filenameExtension == nil && DropPath("a.d/b").stem == "b")
    #expect(DropPath("e\u{301}") != DropPath("\u{E9}"))
    #expect(DropPath("a") < "b")
  }

  @Test func `a configuration can be tested without a daemon`() {
    func configuration(_ session: DropSession) -> DropConfiguration {
      if session.location.parent == "Done" { return .forbidden("Done is locked") }
      guard session.payloadBytes < session.size.bytes, session.items.first?.claimedType == .json else { return .copy }
      return session.suggestedOperations.contains(.move) ? .move : DropConfiguration(operation: .copy, destination: "x")
    }
    let locked = DropSession(location: "Done/7.json")
    #expect(configuration(locked) == .forbidden("Done is locked"))
    #expect(configuration(locked).reason == "Done is locked" && configuration(locked).operation == .forbidden)
    #expect(configuration(DropSession(location: "7.json", byteCount: 5)) == .move)
    #expect(configuration(DropSession(location: "7.png")) == .copy)
    let pinned = configuration(DropSession(location: "7.json", suggestedOperations: .copy))
    #expect(pinned.destination == .init("x") && pinned.destination?.position == nil)
  }

  @Test func `a zone is targeted while something is arriving`() {
    func isTargeted(_ phase: DropSession.Phase) -> Bool { DropSession(location: "a", phase: phase).isTargeted }
    #expect(isTargeted(.entering) && isTargeted(.active))
    #expect(!isTargeted(.exiting) && !isTargeted(.ended(.move)) && !isTargeted(.dataTransferCompleted))
  }

  @Test func `a session finds its payload`() {
    let session = DropSession(location: "a/b.png", byteCount: 7, type: .png)
    #expect(session.itemsCount == 1 && session.locations == ["a/b.png"] && session.payloadBytes == 7)
    #expect(session.items.first?.type == .png && session.items.first?.grade == .proved)
    #expect(session.items.first?.waiting == nil && session.localSession == nil)
    #expect(DropSession.Waiting.temporaryName.description == "temporary-name")
  }

  @Test func `a verdict has the same outcome as a command's answer`() {
    #expect(DropVerdict.accepted.outcome == .accepted(HandlerAnswer()))
    #expect(
      DropVerdict.accepted(as: "b.pdf", in: "2024/May", operation: .copy).outcome
        == .accepted(HandlerAnswer(operation: .copy, destination: "2024/May", name: "b.pdf")))
    #expect(DropVerdict.accepted(in: "").outcome == .accepted(HandlerAnswer()))
    #expect(DropVerdict.rejected("torn\n").outcome == .rejected("torn"))
    #expect(DropVerdict.rejected(" ").outcome == .rejected("refused"))
    #expect(DropVerdict.notYet("away", retryAfter: .seconds(9)).outcome == .notYet("away"))
    #expect(DropVerdict.accepted(operation: .forbidden).outcome == .rejected("forbidden"))
  }

  @Test(arguments: ["/etc", "../x", "a//b", "a/.dropzone-x"])
  func `a destination that leads out of the box is a failed attempt`(place: String) {
    guard case .failed(let why) = DropVerdict.accepted(in: .init(DropPath(place))).outcome else {
      Issue.record("\(place) was accepted")
      return
    }
    #expect(why.hasPrefix("the verdict cannot be used: `destination`"))
  }

  @Test func `operations have raw values, and form sets`() {
    #expect(DropOperation(rawValue: "copy") == .copy && DropOperation.cancel.rawValue == "cancel")
    let set: DropOperation.Set = [.move, .cancel]
    #expect(set.contains(.move) && !set.contains(.copy))
  }
}
