// A switch without a case for operations of later releases.
// error: switch covers known cases, but 'DropOperation' may have additional unknown values
import DropZones

func word(_ operation: DropOperation) -> String {
  switch operation {
  case .move: "moved"
  case .copy: "copied"
  case .forbidden: "refused"
  case .cancel: "withdrawn"
  }
}
