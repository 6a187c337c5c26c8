// No zone at all.
// error: expected expression of type '[DropZone]' in result builder 'ZonesBuilder'
import DropZones

struct Inbox: Zones {
  var body: some Zones {
  }
}
