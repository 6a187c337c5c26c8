package import DropEngine

/// Why types cannot be determined on this machine.
package enum ContentTyperError: Error, Hashable, Sendable, CustomStringConvertible {
  case noMIMEDatabase
  case sniffer(SnifferError)

  package var description: String {
    switch self {
    case .noMIMEDatabase: "the shared MIME database is not installed (package shared-mime-info)"
    case .sniffer(let error): error.description
    }
  }
}

/// Determines the types of files from their content, and the types that their names claim.
///
/// It reads the first bytes of a file and the tables of containers, never a whole file. Any number of threads can use it
/// at once. It uses the databases as they were when it was created.
package final class ContentTyper: Sendable {
  /// The names, kinds and other properties of types.
  package let database: MIMEDatabase
  private let decision: TypeDecision
  private let sniffers: SnifferPool

  /// How many first bytes libmagic gets: enough for the signature of an ISO 9660 image, at 32,769.
  private static let headLimit = 64 << 10

  package init() throws(ContentTyperError) {
    guard let database = MIMEDatabase() else { throw .noMIMEDatabase }
    self.database = database
    decision = TypeDecision(database.hierarchy)
    do throws(SnifferError) {
      sniffers = try SnifferPool()
    } catch {
      throw .sniffer(error)
    }
  }

  package var hierarchy: TypeHierarchy { database.hierarchy }

  /// Determines the type of a regular file of `size` bytes with the name `name`.
  package func type(of file: borrowing FileDescriptor, size: Int64, name: RawPath) throws(Errno) -> TypedContent {
    try inspect(at: file, size: size, name: name).typed
  }

  /// Does the same for an open file.
  package func type(of file: OpenFile, size: Int64, name: RawPath) throws(FileError) -> TypedContent {
    try inspect(file, size: size, name: name).typed
  }

  /// Does the same, and also returns all of the file's bytes if they were read for this.
  package func inspect(
    _ file: OpenFile, size: Int64, name: RawPath
  ) throws(FileError) -> (typed: TypedContent, whole: [UInt8]?) {
    try naming(.read, file.path) { () throws(Errno) in try inspect(at: file.descriptor, size: size, name: name) }
  }

  /// Does the same, and also returns all of the file's bytes if they were read for this.
  package func inspect(
    at file: borrowing FileDescriptor, size: Int64, name: RawPath
  ) throws(Errno) -> (typed: TypedContent, whole: [UInt8]?) {
    let evidence = try evidence(inFileOf: size) { (offset, count) throws(Errno) in
      try file.read(at: offset, count: count)
    }
    let typed = decision.judge(evidence, claims: database.claims(of: name))
    return (typed, Int64(evidence.head.count) == size ? evidence.head : nil)
  }

  /// Determines the type of the file or directory at `path`, with the name in the path.
  package func type(ofFileAt path: RawPath) throws(FileError) -> (content: TypedContent, size: Int64) {
    do throws(FileError) {
      let (file, status) = try OpenFile.regular(at: path)
      return (try type(of: file, size: status.size, name: path.lastComponent), status.size)
    } catch  where error.errno == .isDirectory {
      return (TypedContent(type: .directory, claimedType: nil, grade: .proved), 0)
    }
  }

  /// The type that `name` claims; nil if it claims none.
  package func claimedType(of name: RawPath) -> String? {
    database.claims(of: name).first
  }

  package var libmagicVersion: String {
    let day = ContentSniffer.databases.lazy.compactMap { FileDate.day(ofChangeTo: $0) }.first
    return [ContentSniffer.version, day].compactMap { $0 }.joined(separator: " of ")
  }

  package var mimeInfoVersion: String { database.version }
}

// Gathers the evidence.
extension ContentTyper {
  private typealias Reader = (_ offset: Int64, _ count: Int) throws(Errno) -> [UInt8]

  private func evidence(inFileOf size: Int64, read: Reader) throws(Errno) -> ContentEvidence {
    let head = try read(0, Int(min(size, Int64(Self.headLimit))))
    var evidence = ContentEvidence(head: head, isWhole: size <= Int64(head.count))
    if head.starts(with: CompoundCheck.signature) {
      evidence.compound = try compound(head: head, read: read)
    } else if head.starts(with: [0x50, 0x4B]) {
      evidence.zip = try zip(inFileOf: size, read: read)
    }
    if head.starts(with: Gunzip.signature) { evidence.wrapped = wrapped(head: head) }
    let beginsWithMagic = decision.beginsWithMagic(evidence)
    if beginsWithMagic {
      evidence.magic = try magic(of: head)
      guard decision.needsRules(beside: evidence.magic) else { return evidence }
    }
    evidence.rules = database.type(of: head)
    if !beginsWithMagic, decision.needsMagic(evidence) { evidence.magic = try magic(of: head) }
    return evidence
  }

  private func magic(of head: [UInt8]) throws(Errno) -> String? {
    do throws(SnifferError) {
      return try sniffers.mediaType(of: head)
    } catch {
      // If libmagic fails for these bytes, the rules decide. Other failures are temporary.
      if case .unreadable = error { return nil }
      throw .noMemory
    }
  }

  /// Only the rules determine the type of compressed content. A gzip file inside another one is not decompressed.
  private func wrapped(head: [UInt8]) -> WrappedCheck {
    let inside = Gunzip.prefix(of: head, limit: WrappedCheck.limit)
    let evidence = ContentEvidence(head: inside, isWhole: false, rules: database.type(of: inside))
    return WrappedCheck(type: decision.proof(of: evidence).type)
  }

  private func compound(head: [UInt8], read: Reader) throws(Errno) -> CompoundCheck {
    guard let offset = CompoundCheck.directoryOffset(head: head) else { return CompoundCheck(directory: []) }
    return CompoundCheck(directory: try read(offset, CompoundCheck.limit))
  }

  /// Makes at most three reads: of the end, of the central directory, and of the member that may name the type.
  private func zip(inFileOf size: Int64, read: Reader) throws(Errno) -> ZipCheck {
    guard let place = try directory(inZipOf: size, read: read) else { return .plain }
    let directory = ZipDirectory(try read(place.offset, place.count))
    guard let entry = directory.entry("mimetype") else { return ZipCheck(directory, mimeType: nil) }
    let member = try read(Int64(entry.offset), ZipDirectory.memberLimit)
    return ZipCheck(directory, mimeType: ZipDirectory.text(ofStored: entry, from: member))
  }

  /// Most zip files have no comment at the end, so their last few bytes are enough.
  private func directory(inZipOf size: Int64, read: Reader) throws(Errno) -> (offset: Int64, count: Int)? {
    for count in [Int64(1024), Int64(ZipDirectory.endLimit)] {
      let start = max(0, size - count)
      let end = try read(start, Int(size - start))
      guard start + Int64(end.count) == size else { return nil }
      if let place = ZipDirectory.place(inFileOf: size, end: end) { return place }
    }
    return nil
  }
}
