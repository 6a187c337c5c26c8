// A verdict where the answer speaks for all.
// error: type 'Bool' has no member 'accepted'
import DropZones

let zone = DropZone("scans", at: "/srv/drop", box: "/srv/box")
  .dropDestination(for: DroppedFile.self) { files, session in
    .accepted
  }
