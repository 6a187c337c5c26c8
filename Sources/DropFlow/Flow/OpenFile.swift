package import DropSystem

/// An open file or directory that several steps share; closed when the last lets go.
package final class OpenFile: Sendable {
  package let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  package var number: Int32 { descriptor.number }
}
