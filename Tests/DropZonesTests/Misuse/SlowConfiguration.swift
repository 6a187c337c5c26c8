// A configuration that waits for something.
// error: to parameter expecting synchronous function type
import DropZones

actor Board {
  let isLocked = false
  func state() -> Bool { isLocked }
}

let board = Board()
let zone = DropZone("board", at: "/srv/drop", box: "/srv/box")
  .dropConfiguration { session in
    await board.state() ? .forbidden("locked") : .move
  }
