// A verdict where one Bool is the answer for all items.
// error: type 'Bool' has no member 'accepted'
import DropZones

let zone = DropZone("scans", at: "/srv/drop", box: "/srv/box")
  .dropDestination(for: DroppedFile.self) { files, session in
    .accepted
  }
