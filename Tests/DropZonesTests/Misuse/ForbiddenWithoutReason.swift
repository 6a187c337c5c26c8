// A refusal without a reason.
// error: member 'forbidden' expects argument of type 'String'
import DropZones

let zone = DropZone("board", at: "/srv/drop", box: "/srv/box")
  .dropConfiguration { session in
    session.itemsCount > 3 ? .forbidden : .move
  }
