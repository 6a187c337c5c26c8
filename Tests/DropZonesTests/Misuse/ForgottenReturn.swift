// An action that does something but does not return a decision.
// error: missing return in closure expected to return 'Bool'
import DropZones

let zone = DropZone("scans", at: "/srv/drop", box: "/srv/box")
  .dropDestination(for: DroppedFile.self) { files, session in
    let count = files.count
    print(count)
  }
