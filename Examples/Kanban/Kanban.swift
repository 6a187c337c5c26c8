// A board of cards. The column under a card that is on its way lights up before the card lands, and a column with a
// locked card keeps others out.
//
//     mkdir -p /tmp/kanban/drop/{todo,doing,done} && swift run --package-path Examples Kanban /tmp/kanban
//
// A zone is emptied and a box is filled, so the board has two sides with the same columns: `drop`, where cards are put,
// and `board`, where they lie. A card moves when its file is taken out of its column on the board and put into another
// one's drop side; there it is judged like any other, and what is refused goes to `board.rejects`, with the reason.
// Directories made in `drop` are columns too.
//
//     echo '{"title": "Paint the fence"}' > /tmp/kanban/drop/todo/fence.card
//     mv /tmp/kanban/board/todo/fence.card /tmp/kanban/drop/doing
//     echo '{"title": "Party", "isLocked": true}' > /tmp/kanban/drop/done/party.card
//     mv /tmp/kanban/board/doing/fence.card /tmp/kanban/drop/done

import DropZones

@main struct Kanban: DropZoneDaemon {
  private var folder = "/tmp/kanban"

  init() {}

  /// The first word is the folder that everything lies in; the other words are those of every daemon.
  init(arguments: inout [String]) {
    if let word = arguments.first, word.hasPrefix("/") { folder = arguments.removeFirst() }
    arguments += ["--state", folder + "/state", "--socket", folder + "/socket"]
  }

  var zones: some Zones {
    Board(folder: folder)
  }
}
