// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "errand-integrations",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "errand", path: "..", traits: ["Observability"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    ],
    targets: [
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                .product(name: "ErrandObservability", package: "errand"),
                .product(name: "ErrandTesting", package: "errand"),
                .product(name: "BankClient", package: "errand"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
