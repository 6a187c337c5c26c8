import DropEngine
import DropSystem
import Testing

@Suite struct HandlerAnswerJSONTests {
  func read(_ line: String, isWhole: Bool = true) -> Result<HandlerAnswer, HandlerAnswer.Flaw> {
    HandlerAnswer.read(Array(line.utf8), isWhole: isWhole)
  }

  @Test func `a line that is not an object is the reason`() {
    #expect(read("fine, thanks") == .success(HandlerAnswer(reason: "fine, thanks")))
    #expect(read("[1]") == .success(HandlerAnswer(reason: "[1]")))
    #expect(read("") == .success(HandlerAnswer()))
  }

  @Test func `every key may be missing, null or unknown`() {
    #expect(read("{}") == .success(HandlerAnswer()))
    #expect(read(#"{"reason":null,"name":null,"more":[{}]}"#) == .success(HandlerAnswer()))
    #expect(
      read(#" {"reason":"a\u001bb","operation":"copy","destination":"d/e","name":"f"}"#)
        == .success(HandlerAnswer(reason: #"a\u{1B}b"#, operation: .copy, destination: "d/e", name: "f")))
  }

  @Test func `the keys in base64 take precedence over the ones in text`() {
    #expect(
      read(#"{"name":"x","nameBytes":"/wo=","destinationBytes":"//8="}"#)
        == .success(HandlerAnswer(destination: RawPath(bytes: [0xFF, 0xFF]), name: RawPath(bytes: [0xFF, 0x0A]))))
  }

  @Test(arguments: [
    (#"{"name":"#, "the line begins like a JSON object, but is not valid"),
    (#"{"name":7}"#, "`name` is not a string"), (#"{"reason":["a"]}"#, "`reason` is not a string"),
    (#"{"name":"a/b"}"#, "`name` contains a slash: 'a/b'"),
    (#"{"name":"a\u0000"}"#, #"`name` contains a zero byte: 'a\u{0}'"#),
    (#"{"nameBytes":"Li4="}"#, "`nameBytes` contains '..': '..'"),
    (#"{"nameBytes":"?"}"#, "`nameBytes` is not base64"),
    (#"{"destination":"/etc"}"#, "`destination` is absolute: '/etc'"),
    (#"{"operation":"delete"}"#, "`operation` is 'delete' and must be one of move, copy, forbidden"),
  ])
  func `the error names the key and the problem`(line: String, why: String) {
    guard case .failure(let flaw) = read(line) else {
      Issue.record("accepted: \(line)")
      return
    }
    #expect(flaw.message == why)
  }

  @Test func `a truncated object is an error`() {
    #expect(throws: HandlerAnswer.Flaw.self) { try read(#"{"reason":"x"}"#, isWhole: false).get() }
  }

  @Test func `extremely deep nesting is an error, and does not crash`() {
    let deep = #"{"a":"# + String(repeating: "[", count: 60000)
    #expect(throws: HandlerAnswer.Flaw.self) { try read(deep).get() }
  }

  @Test func `the reason is kept if another key has an error`() {
    guard case .failure(let flaw) = read(#"{"reason":"spam","name":".."}"#) else {
      Issue.record("taken")
      return
    }
    #expect(flaw.reason == "spam")
  }
}
