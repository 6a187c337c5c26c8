// A captured variable that several tasks increment.
// error: mutation of captured var 'count' in concurrently-executing code
import DropZones

func zone() -> DropZone {
  var count = 0
  return DropZone("scans", at: "/srv/drop", box: "/srv/box")
    .dropDestination(for: DroppedFile.self) { files, session in
      count += files.count
      return true
    }
}
