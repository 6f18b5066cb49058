// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "BuildTimeGeneration",
    platforms: [.macOS(.v13)],
    // In a package of your own: .package(url: "…/errand.git", from: "0.1.0")
    dependencies: [.package(name: "errand", path: "../..")],
    targets: [
        .executableTarget(
            name: "Library",
            dependencies: [
                .product(name: "ErrandTransport", package: "errand"),
                // The scripted server that the example talks to.
                .product(name: "ErrandTesting", package: "errand"),
            ],
            plugins: [.plugin(name: "ErrandBuildTool", package: "errand")]
        )
    ],
    swiftLanguageModes: [.v6]
)
