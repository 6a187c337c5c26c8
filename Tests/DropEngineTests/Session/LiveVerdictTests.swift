import DropEngine
import Testing

@Suite struct LiveVerdictTests {
  @Test func `the operation is copy if the zone or the configuration says so`() {
    #expect(LiveVerdict(operation: .move).binding(in: .move, taken: 0) == .take(.move, in: nil))
    #expect(LiveVerdict(operation: .copy).binding(in: .move, taken: 0) == .take(.copy, in: nil))
    #expect(LiveVerdict(operation: .move).binding(in: .copy, taken: 0) == .take(.copy, in: nil))
  }

  @Test func `a forbidden payload goes to the rejects with the reason`() {
    let verdict = LiveVerdict(operation: .forbidden, reason: "the column is locked")
    #expect(verdict.binding(in: .move, taken: 0) == .refuse("the column is locked"))
    #expect(
      LiveVerdict(operation: .cancel).binding(in: .move, taken: 0) == .refuse("forbidden by the zone's configuration"))
  }

  @Test func `payloads beyond the count stay`() {
    let verdict = LiveVerdict(operation: .move, acceptedCount: 1)
    #expect(verdict.binding(in: .move, taken: 0) == .take(.move, in: nil))
    #expect(verdict.binding(in: .move, taken: 1) == .stay("the zone takes one at a time"))
    #expect(
      LiveVerdict(operation: .move, acceptedCount: 2, reason: "two are enough").binding(in: .move, taken: 2)
        == .stay("two are enough"))
  }

  @Test(arguments: ["../out", "/etc", "a//b", "a/./b", ".dropzone-hold"])
  func `a destination must not lead out of the box`(destination: String) {
    let verdict = LiveVerdict(operation: .move, destination: RawPath(destination))
    guard case .refuse = verdict.binding(in: .move, taken: 0) else {
      Issue.record("'\(destination)' was accepted")
      return
    }
  }

  @Test func `a destination below the box is kept`() {
    let verdict = LiveVerdict(operation: .move, destination: "todo/urgent")
    #expect(verdict.binding(in: .move, taken: 0) == .take(.move, in: "todo/urgent"))
  }
}
