// Something else among the zones.
// error: requires that 'String' conform to 'Zones'
import DropZones

struct Inbox: Zones {
  var body: some Zones {
    DropZone("scans", at: "/srv/drop", box: "/srv/box")
    "letters"
  }
}
