package import DropEngine

/// An open file that several steps share; closed when the last one lets go of it.
package final class OpenFile: Sendable {
  package let descriptor: FileDescriptor
  private let directory: RawPath
  private let name: RawPath
  private let budget: OpenFileBudget?

  /// Takes over a descriptor; `name` and `directory` are where it was opened, for messages.
  ///
  /// - Parameter budget: Counts the file in it while there is room.
  package init(
    _ descriptor: consuming FileDescriptor, name: RawPath, in directory: RawPath, budget: OpenFileBudget? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.directory = directory
    self.budget = budget.flatMap { $0.take() ? $0 : nil }
  }

  /// One that was counted is given back to its budget when it is closed.
  package init(_ descriptor: consuming FileDescriptor, of budget: OpenFileBudget? = nil) {
    self.descriptor = descriptor
    directory = RawPath(bytes: [])
    name = RawPath(bytes: [])
    self.budget = budget
  }

  deinit {
    budget?.giveBack()
  }

  package var number: Int32 { descriptor.number }

  /// The path it was opened by; it may have another name by now.
  package var path: RawPath { directory.appending(name) }

  /// Whether a budget counts it.
  package var isCounted: Bool { budget != nil }
}

extension OpenFile {
  /// Opens a regular file by its path for reading, following links, and without waiting for a pipe or device.
  ///
  /// Fails with `isDirectory` or `invalid` where something else lies there.
  package static func regular(at path: RawPath) throws(FileError) -> (file: OpenFile, status: FileStatus) {
    let file = try Directory.working.open(path, [.readOnly, .nonBlocking])
    let status = try file.status()
    guard status.kind == .regular else {
      throw FileError(status.kind == .directory ? .isDirectory : .invalid, .open, path)
    }
    return (file, status)
  }

  /// What the file is like now, whatever its name is.
  package func status() throws(FileError) -> FileStatus {
    try naming(.stat, path) { () throws(Errno) in try FileStatus.read(at: number) }
  }

  /// Waits until the file's bytes and attributes are on the disk.
  package func sync() throws(FileError) {
    try naming(.sync, path) { () throws(Errno) in try descriptor.sync() }
  }

  /// The same for everything on the file system that the file lies on.
  package func syncFileSystem() throws(FileError) {
    try naming(.sync, path) { () throws(Errno) in try descriptor.syncFileSystem() }
  }

  /// Opens the same file again with other rights, whatever its name is.
  package func reopened(_ flags: OpenFlags) throws(FileError) -> OpenFile {
    let opened = try naming(.open, path) { () throws(Errno) in try descriptor.reopened(flags) }
    return OpenFile(opened, name: name, in: directory)
  }

  /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
  package func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    try naming(.read, path) { () throws(Errno) in try descriptor.read(at: offset, count: count) }
  }

  /// Writes all of `bytes` at the descriptor's position.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try naming(.write, path) { () throws(Errno) in try descriptor.write(bytes) }
  }
}

/// Read leases, by which the kernel says whether anyone has the file open for writing.
extension OpenFile {
  /// Asks for a lease and gives it back.
  package func probeLease() -> ReadLease.Answer { ReadLease.ask(descriptor) }

  /// Whether a lease shows that somebody has the file open for writing; false where leases are unavailable.
  package func hasWriter() -> Bool { probeLease() == .writer }

  /// Asks for a lease and keeps it: an opener for writing waits until `returnLease()`.
  package func takeLease() -> ReadLease.Answer { ReadLease.take(descriptor) }

  /// Whether nobody has come to write since the lease was taken.
  package var isLeaseIntact: Bool { ReadLease.isUndisturbed(descriptor) }

  package func returnLease() { ReadLease.giveBack(descriptor) }
}
