// A payload of a type that nothing can be read as.
// error: requires that 'Int' conform to 'Transferable'
import DropZones

let zone = DropZone("numbers", at: "/srv/drop", box: "/srv/box")
  .dropDestination(for: Int.self) { numbers, session in
    !numbers.isEmpty
  }
