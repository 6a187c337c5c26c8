// A board of cards. The column under an arriving card lights up before the card lands, and a column that contains a
// locked card refuses other cards.
//
//     mkdir -p /tmp/kanban/drop/{todo,doing,done} && swift run --package-path Examples Kanban /tmp/kanban
//
// Because files leave a zone and end up in a box, the board has two sides with the same columns: `drop`, where you put
// cards, and `board`, where they end up. To move a card, move its file from its column in `board` to another column in
// `drop`. There it is judged like any other card; if it is refused, it goes to `board.rejects`, with the reason. If you
// create a directory in `drop`, it becomes a column too.
//
//     echo '{"title": "Paint the fence"}' > /tmp/kanban/drop/todo/fence.card
//     mv /tmp/kanban/board/todo/fence.card /tmp/kanban/drop/doing
//     echo '{"title": "Party", "isLocked": true}' > /tmp/kanban/drop/done/party.card
//     mv /tmp/kanban/board/doing/fence.card /tmp/kanban/drop/done

import DropZones

@main struct Kanban: DropZoneDaemon {
  private var folder = "/tmp/kanban"

  init() {}

  /// The first argument is the folder that contains everything; the other arguments are those of every daemon.
  init(arguments: inout [String]) {
    if let word = arguments.first, word.hasPrefix("/") { folder = arguments.removeFirst() }
    arguments += ["--state", folder + "/state", "--socket", folder + "/socket"]
  }

  var zones: some Zones {
    Board(folder: folder)
  }
}
