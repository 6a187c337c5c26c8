// swift-tools-version: 6.3

import PackageDescription

/// A package of its own, so that the examples can use what everybody can use, and nothing else.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "dropzone", path: "..")],
  targets: ["Invoices", "Kanban", "DropZoneHighlight"].map { name in
    .executableTarget(name: name, dependencies: [.product(name: "DropZones", package: "dropzone")], path: name)
  }
)
