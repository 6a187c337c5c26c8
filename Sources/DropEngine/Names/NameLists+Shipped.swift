extension NameLists {
  /// What systems and their tools put beside people's files.
  static let junkPatterns = [
    // Apple
    ".DS_Store", "._*", ".localized", ".AppleDouble", ".AppleDB", ".AppleDesktop", ".Spotlight-V100", ".Trashes",
    ".fseventsd", ".TemporaryItems", ".DocumentRevisions-V100", ".VolumeIcon.icns", ".apdisk", "Icon\r", "__MACOSX",
    "Network Trash Folder", "Temporary Items",
    // Windows; Samba stores the colon of a stream as U+F03A where it may not be one.
    "Thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "*:Zone.Identifier", "*\u{F03A}Zone.Identifier",
    "$RECYCLE.BIN", "System Volume Information",
    // Storage boxes
    "@eaDir", "#recycle", "#snapshot", "@Recycle", "@Recently-Snapshot", ".@__thumb", ".recycle",
    // Synchronisation, snapshots, file systems, desktops
    ".stversions", ".stfolder", ".stignore", ".snapshots", ".snapshot", ".zfs", ".Trash-*", ".Trash", ".nfs*",
    ".fuse_hidden*", ".smbdelete*", ".glusterfs", "lost+found", ".directory",
  ]

  /// What programs call a file they have not finished; the more exact pattern first, because it tells the name.
  /// A leading dot and rsync's `.NAME.XXXXXX` are known without a pattern.
  static let temporaryPatterns = [
    "~syncthing~*.tmp", ".syncthing.*.tmp", ".~lock.*#", ".~lock.*", ".in.*.", ".~tmp~", ".goutputstream-??????",
    ".pureftpd-upload.?*",
    "*.part", "*.filepart", "*.crdownload", "*.partial", "*.download", "*.opdownload", "*.tmp", "*.!ut", "*.!qb",
    "*.!bt", "*.aria2", "*.camelLock", "*.lftp-pget-status", "*~", "~$*",
  ]

  /// Leaves out what is no pattern; a test sees to it that there is none.
  private static func globs(_ patterns: [String]) -> [Glob] {
    patterns.compactMap { try? Glob($0) }
  }

  static let shippedJunk = globs(junkPatterns)
  static let shippedTemporary = globs(temporaryPatterns)
}
