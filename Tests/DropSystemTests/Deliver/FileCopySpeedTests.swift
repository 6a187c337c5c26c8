import DropEngine
import DropSystem
import Glibc
import Testing

/// Needs a quiet machine and some gigabytes: run with DROPZONE_BENCHMARK set to a number of MiB, such as 4096.
@Suite(.serialized) struct FileCopySpeedTests {
  static let mebibytes = unsafe getenv("DROPZONE_BENCHMARK").flatMap { unsafe Int(String(cString: $0)) }

  // The first rounds also pay for blocks that the disk never had to find before, so it is the best of many that counts.
  @Test(.enabled(if: mebibytes != nil, "DROPZONE_BENCHMARK is not set"))
  func `a copy with its digest is about as fast as cp and sync`() throws {
    let mebibytes = try #require(Self.mebibytes)
    let scratch = try Scratch()
    let source = scratch("source")
    run(["sh", "-c", "head -c \(mebibytes)M /dev/urandom > \(source); sync \(source)"])
    var (ours, theirs): ([Duration], [Duration]) = ([], [])
    for _ in 0..<6 {
      theirs.append(
        ContinuousClock().measure {
          run(["sh", "-c", "cp --reflink=never \(source) \(scratch("a")); sync \(scratch("a"))"])
        })
      run(["rm", scratch("a")])
      ours.append(
        try ContinuousClock().measure {
          let target = try FileDescriptor.open(RawPath(scratch("b")), [.readWrite, .create, .exclusive])
          let result = try FileCopy.copy(from: FileDescriptor.open(RawPath(source), .readOnly), to: target)
          #expect(result.digest != nil || result.cloned)
          try target.sync()
        })
      run(["rm", scratch("b")])
    }
    print("cp and sync:", theirs, "copy with digest and fsync:", ours)
    let best = try #require(ours.min())
    let reference = try #require(theirs.min())
    #expect(reference / best >= 0.95)
  }
}
