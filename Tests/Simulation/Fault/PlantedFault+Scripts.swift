extension PlantedFault {
  /// Scripts that find the faults, if they are crashed at every step; by the names of the faults.
  static let scripts: [String: String] = [
    "the payload's bytes are not synced before its claim":
      "zone=ext4; put a.txt 6; advance; run",
    "a snapshot's bytes are not synced":
      "zone=ext4 copy; put a.txt 6; advance; run",
    "a snapshot's name is not synced":
      "zone=ext4 box=btrfs copy; put a.txt 6; advance; step 0; replace a.txt 4; run; advance; run",
    "what a handler changed is not synced":
      "zone=ext4 handler changes; answer changeAndAccept; put a.txt 6; advance; run; advance; run",
    "the hold is not synced after the rename into the box":
      "zone=ext4 box=btrfs handler; answer reject; put a.txt 6; advance; run; retry; run",
    "the box is not synced before the receipt":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "a copy's bytes are not synced":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "a source's removal is not synced before its row is closed":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "a return is not synced before its row is closed":
      "zone=ext4 handler; answer notYet; put a.txt 6; advance; run; advance; run",
    "an undo's copy is not synced":
      "zone=ext4 box=btrfs; put a.txt 6; advance; run; undo; run",
    "the zone is not synced before an undone delivery leaves the box":
      "zone=ext4 box=btrfs; put a.txt 6; advance; run; undo; run",
    "the removal of a copy is not synced before it is undone":
      "zone=ext4 copy; put a.txt 6; advance; run; undo; run",
    "what a handler took is not synced before its receipt":
      "zone=ext4 handler; answer takeAndAccept; put a.txt 6; advance; run",
    "the claim is committed after the rename into the hold":
      "zone=ext4; put a.txt 6; advance; run",
    "the destination is committed after the rename into it":
      "zone=ext4; put a.txt 6; advance; run",
    "`copied` is committed after the copy has its name":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "an undo is committed after the rename into the zone":
      "zone=ext4 box=btrfs; put a.txt 6; advance; run; undo; run",
    "the undo of a copy is committed after its removal":
      "zone=ext4 copy; put a.txt 6; advance; run; undo; run",
    "the hold is synced after the receipt":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "an attempt is committed after the handler was asked":
      "zone=ext4 handler; put a.txt 6; advance; run",
    "a reason is written after its reject has its name":
      "zone=ext4 box=btrfs handler; answer reject; put a.txt 6; advance; run",
    "recovery forgets the inode of a copy":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "recovery forgets the verdict":
      "zone=ext4; put a.txt 6; advance; run",
    "recovery forgets where a payload goes":
      "zone=ext4; put a.txt 6; advance; run",
    "recovery forgets where a reject came from":
      "zone=ext4 handler; answer reject; put a.txt 6; advance; run; retry; run",
    "recovery forgets that a payload is a copy":
      "zone=ext4 copy; put a.txt 6; advance; run",
    "recovery takes every payload for undecided":
      "zone=ext4; put a.txt 6; advance; run",
    "recovery forgets the size":
      "zone=ext4; put a.txt 6; advance; run; undo; run",
    "the row of a payload that is placed does not name its place":
      "zone=ext4; put a.txt 6; advance; run",
    "the row of a copy lacks its inode":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "the row of a snapshot lacks its original":
      "zone=ext4 copy; put a.txt 6; advance; run",
    "a receipt is not written":
      "zone=ext4; put a.txt 6; advance; run",
    "the original of a copy is not noted":
      "zone=ext4 copy; put a.txt 6; advance; run",
    "what an undo puts back is not noted":
      "zone=ext4; put a.txt 6; advance; run; undo; run",
    "the row of a finished payload stays":
      "zone=ext4; put a.txt 6; advance; run",
    "a name that is taken counts as free":
      "zone=ext4 handler; answer notYet; put a.txt 6; advance; step 0; step 0; step 0; put a.txt 4; run; advance; run",
    "a hold that is not there counts as empty":
      "zone=ext4 handler changes lease=no zones=2; put 2/sub/a.txt 2; put 2/b.txt 4; advance; step 0; step 0; step 1; step 3; step 0; step 3; kill; step 0; step 0; step 0; step 0; step 0; away /box.hold; step 0",
    "another file system counts as an unavailable place":
      "zone=ext4 box=btrfs; put a.txt 6; advance; run",
    "a payload that is gone counts as an unavailable place":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "an error of a place counts as a payload that is gone":
      "zone=ext4 box=ext4; put a.txt 6; advance; step 0; step 0; step 0; step 0; away /box; run",
    "a full box counts as a payload that is gone":
      "zone=ext4 box=btrfs; put a.txt 6; fault copy ENOSPC 1; advance; run",
    "a payload that changed during its claim counts as claimed":
      "zone=ext4 copy; put a.txt 6; advance; step 0; replace a.txt 4; run; advance; run",
    "the source of a copy stays in the hold":
      "zone=ext4 box=btrfs; put a.txt 6; advance; run",
    "a half copy is not removed at recovery":
      "zone=ext4 box=btrfs; put a.txt 6; advance; run",
    "the reason of a reject that was tried again stays":
      "zone=ext4 handler; answer reject; put a.txt 6; advance; run; retry; run",
    "the second name after a power cut stays":
      "zone=btrfs copy handler; answer reject; put a.txt 6; advance; run; retry; run",
    "every rename into the box replaces what is there":
      "zone=ext4; put a.txt 6; advance; step 0; step 0; step 0; step 0; step 0; step 0; foreign a.txt; run",
    "a copy's source goes before its receipt":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "an undo removes its delivery before anything is committed":
      "zone=ext4 copy; put a.txt 6; advance; run; undo; run",
    "a retry removes the reject before it is in the hold":
      "zone=ext4 handler; answer reject; put a.txt 6; advance; run; retry; run",
    "a temporary goes as soon as its row says `copied`":
      "zone=ext4 handler; answer acceptCopy; put a.txt 6; advance; run; advance; run",
    "a payload that changed after its verdict is placed":
      "zone=ext4; put a.txt 6; advance; step 0; step 0; step 0; step 0; writeHeld; run",
  ]
}
