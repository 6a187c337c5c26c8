/// A number in less room than an `Int`, cut to what that holds, for what is kept of each of very many files.
@propertyWrapper package struct Narrow<Room: FixedWidthInteger & Sendable>: Hashable, Sendable {
  private var value: Room

  package init(wrappedValue: Int) {
    value = Room(clamping: wrappedValue)
  }

  package var wrappedValue: Int {
    get { Int(value) }
    set { value = Room(clamping: newValue) }
  }
}
