import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite struct FileSystemQueueTests {
  private let now = Duration.seconds(100)

  private func call(_ path: RawPath = "/srv/x") -> FileSystemCall { FileSystemCall(path, at: now) }

  @Test func `a place that does not answer for ten seconds is silent until it does`() {
    let places = FileSystemQueues()
    let place = places.make()
    let call = call()
    places.begin(call, to: place) {}
    #expect(places.deadline == now + .seconds(10))
    #expect(!places.checkSilence(at: now + .milliseconds(9999)) && !place.isSilent)
    #expect(places.checkSilence(at: now + .seconds(10)) && place.isSilent)
    #expect(places.deadline == nil && places.silentCount == 1)
    #expect(places.end(call, to: place) != nil)
    #expect(!place.isSilent && places.silentCount == 0)
  }

  @Test func `a call that another one has replaced has no answer`() {
    let places = FileSystemQueues()
    let place = places.make()
    let (old, new) = (call(), call())
    places.begin(old, to: place) {}
    places.begin(new, to: place) {}
    #expect(places.end(old, to: place) == nil)
    #expect(places.end(new, to: place) != nil)
  }

  @Test func `names whose payloads have left since a call began are outdated in its answer`() {
    let places = FileSystemQueues()
    let place = places.make()
    let call = call()
    let key = PayloadKey(directory: 1, name: "a")
    place.outdate(key)
    places.begin(call, to: place) {}
    place.outdate(PayloadKey(directory: 1, name: "b"))
    #expect(places.end(call, to: place)?.outdated == [PayloadKey(directory: 1, name: "b")])
  }

  @Test func `zones on one file system share its place, for as long as one uses it`() {
    let places = FileSystemQueues()
    var first: FileSystemQueue? = places.fileSystem(7)
    let number = first?.number
    #expect(places.fileSystem(7) === first && places.fileSystem(8) !== first)
    first = nil
    #expect(places.fileSystem(7).number != number)
  }
}
