internal import DropEngine

extension MIMEDatabase {
  /// The database at the first access. If the machine has none, only public identifiers have a meaning.
  package static let shared = MIMEDatabase() ?? MIMEDatabase(hierarchy: TypeHierarchy([]), version: "")

  /// The icon for a public identifier that stands for several types.
  package static func iconName(ofGroup identifier: String) -> String? {
    groupIcons[identifier]
  }

  /// These are in the list of types of the Icon Naming Specification.
  private static let groupIcons = [
    "public.image": "image-x-generic",
    "public.audio": "audio-x-generic",
    "public.movie": "video-x-generic",
    "public.video": "video-x-generic",
    "public.font": "font-x-generic",
    "public.archive": "package-x-generic",
    "public.script": "text-x-script",
    "public.executable": "application-x-executable",
    "public.spreadsheet": "x-office-spreadsheet",
    "public.presentation": "x-office-presentation",
  ]
}
