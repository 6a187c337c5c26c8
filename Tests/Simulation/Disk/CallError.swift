/// A system call that failed, by its Linux error number.
package struct CallError: Error, Hashable, Sendable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  package static let notPermitted = CallError(1)
  package static let noEntry = CallError(2)
  package static let io = CallError(5)
  package static let access = CallError(13)
  package static let busy = CallError(16)
  package static let exists = CallError(17)
  package static let crossDevice = CallError(18)
  package static let notDirectory = CallError(20)
  package static let isDirectory = CallError(21)
  package static let invalid = CallError(22)
  package static let tooLarge = CallError(27)
  package static let noSpace = CallError(28)
  package static let readOnly = CallError(30)
  package static let nameTooLong = CallError(36)
  package static let notEmpty = CallError(39)
  package static let notConnected = CallError(107)
  package static let stale = CallError(116)
  package static let quota = CallError(122)
}
