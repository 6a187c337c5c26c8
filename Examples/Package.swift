// swift-tools-version: 6.3

import PackageDescription

/// A separate package, so that the examples can use only what every user can use.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "dropzone", path: "..")],
  targets: ["Invoices", "Kanban", "DropZoneHighlight"].map { name in
    .executableTarget(name: name, dependencies: [.product(name: "DropZones", package: "dropzone")], path: name)
  }
)
