// swift-tools-version: 6.1
import PackageDescription

// What generating and compiling cost. A package of its own, so that nothing of it reaches a user's build.
let package = Package(
    name: "errand-benchmarks",
    platforms: [.macOS(.v13)],
    targets: [
        .executableTarget(name: "GenerationBenchmark"),
    ],
    swiftLanguageModes: [.v6]
)
