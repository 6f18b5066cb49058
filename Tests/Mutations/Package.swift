// swift-tools-version: 6.1
import PackageDescription

// What `scripts/mutation-gate` builds: the runtime, one client, and the tests that catch bugs planted into them. Nothing
// else is there, so that a bug is built and tested within seconds.
let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    dependencies: [.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")],
    targets: [
        .target(name: "ErrandJSON"),
        .target(name: "ErrandPatterns"),
        .target(name: "ErrandRuntime", dependencies: ["ErrandJSON", "ErrandPatterns"]),
        .target(name: "ErrandClient", dependencies: ["ErrandRuntime", "ErrandJSON"]),
        .target(name: "CCurl"),
        .target(name: "ErrandCurl", dependencies: ["ErrandRuntime", "ErrandJSON", "CCurl"]),
        .target(
            name: "ErrandURLSession", dependencies: ["ErrandClient", "ErrandRuntime", "ErrandJSON", "ErrandCurl"]),
        .target(name: "ErrandStubs", dependencies: ["ErrandRuntime"]),
        .target(name: "ErrandTesting", dependencies: ["ErrandStubs", "ErrandRuntime", "ErrandJSON"]),
        .target(
            name: "BankClient", dependencies: ["ErrandClient", "ErrandRuntime", "ErrandURLSession"],
            path: "generated/Bank"),
        .target(
            name: "TestServices",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/TestServices"
        ),
        .testTarget(name: "ErrandPatternsTests", dependencies: ["ErrandPatterns"]),
        .testTarget(
            name: "ErrandRuntimeTests", dependencies: ["ErrandRuntime", "ErrandURLSession", "ErrandTesting"],
            exclude: ["Streams"]),
        .testTarget(name: "ErrandURLSessionTests", dependencies: ["ErrandURLSession", "ErrandTesting"]),
        .testTarget(name: "ReliabilityTests", dependencies: ["ErrandTesting", "BankClient", "TestServices"]),
    ],
    swiftLanguageModes: [.v6]
)
