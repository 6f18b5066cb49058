// swift-tools-version: 6.1
import PackageDescription

// The targets stand in the order of the pipeline: text → tree → contract → Swift.
// `docs/architecture.md` says which arrows are allowed; `Tests/ArchitectureTests` holds them.

let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .library(name: "ErrandJSON", targets: ["ErrandJSON"]),
        .library(name: "ErrandRuntime", targets: ["ErrandRuntime"]),
        .library(name: "ErrandURLSession", targets: ["ErrandURLSession"]),
    ],
    targets: [
        // MARK: The tool

        // 1  libyaml, the reference parser in C
        .systemLibrary(
            name: "CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        // 2  what is wrong, where, and how to mend it
        .target(name: "Diagnostics"),
        // 3  text → lossless tree with positions
        .target(name: "YAMLTree", dependencies: ["Diagnostics", "CLibYAML"]),

        // MARK: The runtime

        .target(name: "ErrandJSON"),
        .target(name: "ErrandRuntime", dependencies: ["ErrandJSON"]),
        .target(name: "ErrandURLSession", dependencies: ["ErrandRuntime"]),

        // MARK: Tests

        .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
        .testTarget(name: "YAMLTreeTests", dependencies: ["YAMLTree"]),
        .testTarget(name: "ErrandJSONTests", dependencies: ["ErrandJSON"]),
        .testTarget(name: "ErrandRuntimeTests", dependencies: ["ErrandRuntime", "ErrandURLSession"]),
        .testTarget(name: "ErrandURLSessionTests", dependencies: ["ErrandURLSession"]),
    ],
    swiftLanguageModes: [.v6]
)
