// swift-tools-version: 6.1
import PackageDescription

// The tests of code that requires a trait of its own. This package is separate so that its dependencies are fetched and built
// only for these tests, and not for the other tests of the repository or for users.

let package = Package(
    name: "errand-integrations",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(
            name: "errand", path: "../..",
            traits: ["AsyncHTTPClient", "Observability", "Outbox", "WebSocket"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
    ],
    targets: [
        .testTarget(
            name: "AsyncHTTPClientTests",
            dependencies: [
                .product(name: "ErrandAsyncHTTPClient", package: "errand"),
                .product(name: "ErrandCurl", package: "errand", condition: .when(platforms: [.linux])),
                .product(name: "ErrandTesting", package: "errand"),
                .product(name: "ErrandTransportConformance", package: "errand"),
                .product(name: "BankClient", package: "errand"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
            ]
        ),
        .testTarget(
            name: "WebSocketTests",
            dependencies: [
                .product(name: "ErrandWebSocket", package: "errand"),
                .product(name: "ErrandRuntime", package: "errand"),
                .product(name: "ErrandTransportConformance", package: "errand"),
                .product(name: "PresenceClient", package: "errand"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            exclude: [
                "aiohttp_server.py", "hostile_server.py", "presence_proxies.py", "presence_server.py",
                "websocket_servers.py",
            ]
        ),
        .testTarget(
            name: "OutboxTests",
            dependencies: [
                "OutboxSender",
                .product(name: "ErrandDurable", package: "errand"),
                .product(name: "ErrandOutbox", package: "errand"),
                .product(name: "ErrandRuntime", package: "errand"),
                .product(name: "ErrandTransportConformance", package: "errand"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        // a process that is killed while it submits and sends
        .executableTarget(
            name: "OutboxSender",
            dependencies: [
                .product(name: "ErrandDurable", package: "errand"),
                .product(name: "ErrandOutbox", package: "errand"),
                .product(name: "ErrandRuntime", package: "errand"),
                .product(name: "ErrandTransport", package: "errand"),
            ],
            path: "Tests/OutboxSender"
        ),
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
