/// The tasks of a flow that are under way, so that a stop can wait for them.
struct TaskSet {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var last = 0

  var isEmpty: Bool { tasks.isEmpty }
  var running: [Task<Void, Never>] { Array(tasks.values) }

  /// A number for a task that is about to be added.
  mutating func nextNumber() -> Int {
    last += 1
    return last
  }

  mutating func add(_ task: Task<Void, Never>, as number: Int) { tasks[number] = task }
  mutating func remove(_ number: Int) { tasks[number] = nil }
}
