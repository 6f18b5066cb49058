// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "server-side",
    platforms: [.macOS(.v14)],
    dependencies: [
        // Enables the traits that a server uses, and no part of the tool.
        .package(name: "errand", path: "../..", traits: ["AsyncHTTPClient", "Observability"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.11.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    ],
    targets: [
        // the service: one route, and the bank after it
        .target(
            name: "CheckoutService",
            dependencies: [
                .product(name: "BankClient", package: "errand"),
                .product(name: "ErrandAsyncHTTPClient", package: "errand"),
                .product(name: "ErrandObservability", package: "errand"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(name: "checkout", dependencies: ["CheckoutService"]),
        // the service and a bank on sockets, and requests that say what must come of them
        .executableTarget(
            name: "rehearsal",
            dependencies: [
                "CheckoutService",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
