// swift-tools-version: 6.3

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "dropzone",
  products: [
    .library(name: "DropZones", targets: ["DropZones"]),
    .library(name: "DropZonesFoundation", targets: ["DropZonesFoundation"]),
    .executable(name: "dropzoned", targets: ["dropzoned"]),
    .executable(name: "dropzone", targets: ["dropzone"]),
  ],
  targets: [
    // The C libraries, each with a module map and a shim header.
    .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
    .systemLibrary(name: "CMagic", pkgConfig: "libmagic", providers: [.apt(["libmagic-dev"])]),
    .systemLibrary(name: "CGIO", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Decisions, system calls, the flow that joins the two, the control protocol, and the library for other programs.
    .target(name: "DropEngine", swiftSettings: strict),
    .target(
      name: "DropSystem",
      dependencies: [
        "DropEngine", "CInotifyTools", "CMagic", "CGIO", "CSQLite", "CSystemd", "CCrypto", "CLinux",
      ],
      swiftSettings: strict),
    .target(name: "DropFlow", dependencies: ["DropEngine", "DropSystem"], swiftSettings: strict),
    .target(name: "DropControl", dependencies: ["DropEngine", "DropSystem"], swiftSettings: strict),
    .target(
      name: "DropZones", dependencies: ["DropEngine", "DropSystem", "DropFlow", "DropControl"],
      swiftSettings: strict),
    .target(name: "DropZonesFoundation", dependencies: ["DropZones"], swiftSettings: strict),
    .executableTarget(
      name: "dropzoned", dependencies: ["DropZones", "DropFlow", "DropEngine", "DropSystem"],
      swiftSettings: strict),
    .executableTarget(
      name: "dropzone", dependencies: ["DropControl", "DropEngine", "DropSystem"],
      swiftSettings: strict),

    // Tests, one target per module.
    .executableTarget(
      name: "TestDaemon", dependencies: ["DropZones", "DropSystem"], path: "Tests/TestDaemon", swiftSettings: strict),
    .target(
      name: "Support", dependencies: ["DropEngine", "DropSystem", "DropControl", "CLinux"],
      path: "Tests/Support", swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Support", "DropEngine"], path: "Tests/Benchmarks",
      exclude: ["References", "Peers", "configuration.sh"], swiftSettings: strict),
    .target(name: "Simulation", dependencies: ["DropEngine"], path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate", swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "DropEngine", "Support"],
      exclude: ["Kernel/play.py"], swiftSettings: strict),
    .testTarget(name: "DropEngineTests", dependencies: ["DropEngine"], swiftSettings: strict),
    .testTarget(
      name: "DropSystemTests", dependencies: ["DropSystem", "DropEngine", "Support"],
      exclude: ["Ledger/Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "DropFlowTests", dependencies: ["DropFlow", "DropSystem", "DropEngine", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "DropControlTests", dependencies: ["DropControl", "DropEngine", "DropSystem", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "DropZonesTests",
      dependencies: ["DropZones", "DropZonesFoundation", "DropSystem", "DropEngine", "Support", "TestDaemon"],
      exclude: ["Interface", "Misuse", "RightUse"], swiftSettings: strict),
    .testTarget(
      name: "ToolTests", dependencies: ["dropzone", "DropControl", "DropEngine", "DropSystem", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "DropZonedTests", dependencies: ["dropzoned", "DropZones", "DropSystem", "DropEngine", "Support"],
      swiftSettings: strict),
    .testTarget(name: "ExampleTests", dependencies: ["Support", "DropEngine"], swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests", dependencies: ["Support", "DropEngine"],
      exclude: ["Recipes"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
