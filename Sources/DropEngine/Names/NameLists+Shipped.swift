extension NameLists {
  /// Files that systems and their tools create beside people's files.
  static let junkPatterns = [
    // Apple
    ".DS_Store", "._*", ".localized", ".AppleDouble", ".AppleDB", ".AppleDesktop", ".Spotlight-V100", ".Trashes",
    ".fseventsd", ".TemporaryItems", ".DocumentRevisions-V100", ".VolumeIcon.icns", ".apdisk", "Icon\r", "__MACOSX",
    "Network Trash Folder", "Temporary Items",
    // Windows; Samba stores the colon of a stream as U+F03A where a colon is not allowed.
    "Thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "*:Zone.Identifier", "*\u{F03A}Zone.Identifier",
    "$RECYCLE.BIN", "System Volume Information",
    // Network storage devices
    "@eaDir", "#recycle", "#snapshot", "@Recycle", "@Recently-Snapshot", ".@__thumb", ".recycle",
    // Synchronisation, snapshots, file systems, desktops
    ".stversions", ".stfolder", ".stignore", ".snapshots", ".snapshot", ".zfs", ".Trash-*", ".Trash", ".nfs*",
    ".fuse_hidden*", ".smbdelete*", ".glusterfs", "lost+found", ".directory",
  ]

  /// Names that programs use for unfinished files. More specific patterns come first, because they determine the final
  /// name. A leading dot and rsync's `.NAME.XXXXXX` are recognised without a pattern.
  static let temporaryPatterns = [
    "~syncthing~*.tmp", ".syncthing.*.tmp", ".~lock.*#", ".~lock.*", ".in.*.", ".~tmp~", ".goutputstream-??????",
    ".pureftpd-upload.?*",
    "*.part", "*.filepart", "*.crdownload", "*.partial", "*.download", "*.opdownload", "*.tmp", "*.!ut", "*.!qb",
    "*.!bt", "*.aria2", "*.camelLock", "*.lftp-pget-status", "*~", "~$*",
  ]

  /// Compiles patterns. Skips invalid ones, of which there are none, as a test ensures.
  private static func globs(_ patterns: [String]) -> [Glob] {
    patterns.compactMap { try? Glob($0) }
  }

  static let shippedJunk = globs(junkPatterns)
  static let shippedTemporary = globs(temporaryPatterns)
}
