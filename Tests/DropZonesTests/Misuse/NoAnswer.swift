// An action that does not decide.
// error: cannot convert value of type '()' to closure result type 'Bool'
import DropZones

let zone = DropZone("scans", at: "/srv/drop", box: "/srv/box")
  .dropDestination(for: DroppedFile.self) { files, session in
    print(files.count)
  }
