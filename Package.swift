// swift-tools-version: 6.1
import PackageDescription

// The targets stand in the order of the pipeline: text → tree → contract → Swift.
// `docs/architecture.md` says which arrows are allowed; `Tests/ArchitectureTests` holds them.

let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .library(name: "ErrandJSON", targets: ["ErrandJSON"]),
    ],
    dependencies: [
        // Tests and the demo only; no product depends on it.
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
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
        // 4  tree → contract → resolved contract, the only thing later stages accept
        .target(name: "ContractModel", dependencies: ["YAMLTree", "Diagnostics"]),

        // MARK: The runtime

        .target(name: "ErrandJSON"),

        // MARK: Tests

        // the services that the contracts describe, played on real sockets
        .target(
            name: "TestServices",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/TestServices"
        ),
        .testTarget(
            name: "TestServicesTests",
            dependencies: ["TestServices", .product(name: "FlyingSocks", package: "FlyingFox")]
        ),
        .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
        .testTarget(name: "YAMLTreeTests", dependencies: ["YAMLTree", "Diagnostics"]),
        .testTarget(name: "ContractModelTests", dependencies: ["ContractModel", "YAMLTree", "Diagnostics"]),
        .testTarget(name: "ErrandJSONTests", dependencies: ["ErrandJSON"]),
    ],
    swiftLanguageModes: [.v6]
)
