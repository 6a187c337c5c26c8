// A path where an import of bytes is expected.
// error: cannot convert value of type 'String' to expected argument type '[UInt8]'
import DropZones

func text(at path: String) async throws -> String {
  try await String(importing: path)
}
