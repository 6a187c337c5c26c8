// A zone without a box.
// error: missing argument for parameter 'box' in call
import DropZones

let zone = DropZone("scans", at: "/srv/drop") { files in
  files.count < 10
}
