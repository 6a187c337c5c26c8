internal import DropEngine

extension MIMEDatabase {
  /// The database as it was when this process first asked; without one, only public identifiers mean something.
  package static let shared = MIMEDatabase() ?? MIMEDatabase(hierarchy: TypeHierarchy([]), version: "")

  /// The icon for what goes by a public identifier that stands for more than one type.
  package static func iconName(ofGroup identifier: String) -> String? {
    groupIcons[identifier]
  }

  /// From the icon naming specification's list of types.
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
