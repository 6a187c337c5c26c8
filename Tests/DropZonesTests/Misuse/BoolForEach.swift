// A Bool where each item needs its own verdict.
// error: cannot convert value of type 'Bool' to closure result type 'DropVerdict'
import DropZones

let zone = DropZone("scans", at: "/srv/drop", box: "/srv/box")
  .dropDestination(forEach: DroppedFile.self) { file, session in
    file.byteCount > 0
  }
