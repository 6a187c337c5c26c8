// A payload type that is not Transferable.
// error: requires that 'Int' conform to 'Transferable'
import DropZones

let zone = DropZone("numbers", at: "/srv/drop", box: "/srv/box")
  .dropDestination(for: Int.self) { numbers, session in
    !numbers.isEmpty
  }
