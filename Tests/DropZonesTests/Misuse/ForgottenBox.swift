// No place for what is taken.
// error: missing argument for parameter 'box' in call
import DropZones

let zone = DropZone("scans", at: "/srv/drop") { files in
  files.count < 10
}
