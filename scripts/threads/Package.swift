// swift-tools-version: 6.1
import PackageDescription

// What `scripts/check-threads` builds under thread sanitizer: the runtime, and those tests of it that run on more than
// one thread. A package of its own, since the tool and its tests would take longer to build than all of this to run.

let clients = ["Auth", "Bank", "Conversations", "Friends", "Live", "Video"]

func client(_ service: String) -> Target {
    .target(
        name: service + "Client", dependencies: ["ErrandRuntime", "ErrandURLSession"], path: "generated/" + service)
}

let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    dependencies: [.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")],
    targets: [
        .target(name: "ErrandJSON"),
        .target(name: "ErrandPatterns"),
        .target(name: "ErrandRuntime", dependencies: ["ErrandJSON", "ErrandPatterns"]),
        .target(name: "ErrandURLSession", dependencies: ["ErrandRuntime", "ErrandJSON"]),
        .target(name: "ErrandStubs", dependencies: ["ErrandRuntime"]),
        .target(name: "ErrandTesting", dependencies: ["ErrandStubs", "ErrandRuntime", "ErrandJSON"]),
        .target(
            name: "TestServices",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/TestServices"
        ),
        .executableTarget(name: "SessionSharer", dependencies: ["AuthClient"], path: "Tests/SessionSharer"),
        .executableTarget(name: "PlantedRace", dependencies: ["ErrandRuntime"], path: "PlantedRace"),
        .testTarget(name: "ErrandRuntimeTests", dependencies: ["ErrandRuntime", "ErrandURLSession"]),
        .testTarget(name: "ErrandURLSessionTests", dependencies: ["ErrandURLSession", "ErrandTesting"]),
        .testTarget(name: "ReliabilityTests", dependencies: ["ErrandTesting", "BankClient", "TestServices"]),
        .testTarget(
            name: "GeneratedClientTests",
            dependencies: ["TestServices", "ErrandURLSession", "ErrandTesting", "SessionSharer"]
                + clients.map { .byName(name: $0 + "Client") },
            exclude: ["Pages"]
        ),
    ] + clients.map(client),
    swiftLanguageModes: [.v6]
)
