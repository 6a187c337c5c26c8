import Simulation

/// A random sequence of file operations, as the model plays it and as `play.py` reads it.
struct DiskScript {
  private(set) var model: FileSystem
  /// In the words of `play.py`.
  private(set) var text: [String] = []
  private var directories: [FileID] = []
  private var random: SplitMix64
  private var nextSource: UInt32 = 1
  private var time: Int64 = 1
  private let names: [Int32] = [0, 1, 2, 3]

  init(_ kind: FileSystemKind, seed: UInt64) throws {
    model = FileSystem(kind)
    random = SplitMix64(seed: seed)
    for index: Int32 in 0..<3 {
      directories.append(try model.create(Name(index), in: .root, isDirectory: true, at: 0))
    }
    model.syncAll()
    let length = 3 + random.below(10)
    while text.count < length { try step() }
    // The kernel keeps bytes of an unsynced file longer than any test lasts, but names may go to the journal any time.
    text.append(random.once(in: 3) ? "cut journal" : "cut nothing")
  }

  /// The number under which `play.py` knows a file: they are counted without the directories.
  func number(of file: FileID) -> Int { Int(file.index) - 1 - directories.count }

  private mutating func step() throws {
    time += 1
    let entries = model.entries.filter { $0.directory != .root }
    guard !entries.isEmpty, !random.once(in: 6) else { return try create() }
    let entry = random.element(of: entries)
    switch random.below(12) {
    case 0, 1: write(entry)
    case 2, 3, 4: try rename(entry)
    case 5: try link(entry)
    case 6:
      try model.unlink(entry.name, in: entry.directory, at: time)
      text.append("unlink \(place(entry))")
    case 7, 8:
      model.sync(entry.file)
      text.append("sync \(place(entry))")
    case 9, 10:
      let directory = random.below(directories.count)
      model.sync(directories[directory])
      text.append("syncdir \(directory)")
    default:
      guard random.once(in: 3) else { return }
      model.syncAll()
      text.append("syncfs")
    }
  }

  private func place(_ entry: Entry) -> String {
    "\(directories.firstIndex(of: entry.directory) ?? 0) \(entry.name.index)"
  }

  /// A place that may have a name already, and whether it has.
  private mutating func target() -> (entry: Entry, isTaken: Bool) {
    let (directory, name) = (random.element(of: directories), Name(random.element(of: names)))
    return (Entry(directory: directory, name: name, file: .root), model.find(name, in: directory) != nil)
  }

  private mutating func create() throws {
    let (entry, isTaken) = target()
    guard !isTaken else { return }
    _ = try model.create(entry.name, in: entry.directory, at: time)
    text.append("create \(place(entry))")
  }

  private mutating func rename(_ entry: Entry) throws {
    let (target, _) = target()
    guard model.find(target.name, in: target.directory) != entry.file else { return }
    try model.rename(
      entry.name, in: entry.directory, to: target.name, in: target.directory, replacing: true, at: time)
    text.append("rename \(place(entry)) \(place(target))")
  }

  private mutating func link(_ entry: Entry) throws {
    let (target, isTaken) = target()
    guard !isTaken else { return }
    try model.link(entry.name, in: entry.directory, to: target.name, in: target.directory, at: time)
    text.append("link \(place(entry)) \(place(target))")
  }

  private mutating func write(_ entry: Entry) {
    let old = model[entry.file].content
    let block: UInt32 = 4096
    switch random.below(4) {
    case 0 where old.length > block:
      model.write(Content(source: old.source, length: old.length - block), to: entry.file, at: time)
      text.append("truncate \(place(entry)) \(old.length - block)")
    case 1 where old.length > 0:
      let new = Content(source: nextSource, length: old.length)
      model.write(new, to: entry.file, at: time)
      text.append("write \(place(entry)) over \(new.source) 0 \(new.length)")
      nextSource += 1
    case 2 where old.length > 0:
      let new = Content(source: nextSource, length: block * UInt32(1 + random.below(3)))
      model.write(new, to: entry.file, at: time)
      text.append("write \(place(entry)) replace \(new.source) 0 \(new.length)")
      nextSource += 1
    default:
      let source = old.length == 0 ? nextSource : old.source
      let new = Content(source: source, length: old.length + block * UInt32(1 + random.below(3)))
      model.write(new, to: entry.file, at: time)
      text.append("write \(place(entry)) append \(source) \(old.length) \(new.length)")
      nextSource += 1
    }
  }
}
